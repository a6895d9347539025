/** Copies a text, and says that it did. */
import { useEffect, useState } from 'preact/hooks'
import { IconButton } from './icon-button.tsx'

export interface CopyButtonProps {
  /** A function, where the text is made only when it is wanted. */
  readonly text: string | (() => string)
  readonly label?: string
}

const SHOWN_MS = 1500

export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () =>
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  const said = outcome === 'copied' ? 'Copied' : 'The browser did not allow it'
  return (
    <>
      <IconButton
        icon={outcome === 'copied' ? 'check' : outcome ? 'close' : 'copy'}
        label={label}
        small
        onClick={() => void copy()}
      />
      <span class="visually-hidden" role="status">
        {outcome ? said : ''}
      </span>
    </>
  )
}
