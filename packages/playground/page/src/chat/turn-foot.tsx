/** How a turn ended: time, tokens, model, and why if not by itself. */
import type { ComponentChildren } from 'preact'
import { duration } from '../parts/duration.ts'
import { printable } from '../parts/printable.ts'
import { useSession } from '../shell/session.ts'
import { tokens } from '../trace/trace-words.ts'
import type { TurnEnd } from './turn-state.ts'

export interface TurnFootProps {
  readonly end: TurnEnd
  readonly model: string
  /** It was to replace an answer, which is still there. */
  readonly isAgain?: boolean
  readonly children?: ComponentChildren
}

const ENDINGS = {
  done: '',
  limit: 'ended by a limit',
  failed: 'failed; your question is in the field below',
  stopped: 'stopped; your question is in the field below',
}
const ENDINGS_AGAIN = {
  ...ENDINGS,
  failed: 'failed; the old answer stays',
  stopped: 'stopped; the old answer stays',
}

export function TurnFoot({ end, model, isAgain = false, children }: TurnFootProps) {
  const models = useSession()?.models ?? []
  const label = models.find(({ id }) => id === model)?.label ?? model
  const used = tokens(end.usage ?? {})
  const facts = [
    (isAgain ? ENDINGS_AGAIN : ENDINGS)[end.status],
    duration(end.durationMs),
    used === '' ? '' : `${used} tokens`,
    printable(label),
  ]
  return (
    <footer class="turn-foot row quiet">
      <span>{facts.filter(Boolean).join(' · ')}</span>
      {children}
    </footer>
  )
}
