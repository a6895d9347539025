/** A text of which only the beginning is shown first, so that a huge one does not stop the page. */
import { useState } from 'preact/hooks'
import { Button } from './button.tsx'

export interface LongTextProps {
  readonly text: string
  readonly quoted?: boolean
}

const SHOWN_AT_FIRST = 10_000

export function LongText({ text, quoted = false }: LongTextProps) {
  const [whole, setWhole] = useState(false)
  const quote = quoted ? '"' : ''
  if (whole || text.length <= SHOWN_AT_FIRST * 1.2) return <>{`${quote}${text}${quote}`}</>
  return (
    <>
      {`${quote}${text.slice(0, SHOWN_AT_FIRST)}…`}
      <Button small kind="quiet" onClick={() => setWhole(true)}>
        {`Show all ${text.length.toLocaleString('en')} characters`}
      </Button>
    </>
  )
}
