/** An observer that remembers, for tests: what was observed, inside what, and how it ended. */
import type { ObservedFacts } from '../messages/observed-facts.ts'
import type {
  Observation,
  ObservationInfo,
  ObservationKind,
  ObservationOutcome,
  ObservedEvent,
  Observer,
} from '../observation/observer.ts'

export interface RecordedObservation extends Observation {
  readonly kind: ObservationKind
  readonly info: ObservationInfo
  readonly children: readonly RecordedObservation[]
  readonly events: readonly ObservedEvent[]
  /** What a tool said of how it does its work, and what was known from the start; the newest of each name. */
  readonly factsTold: ObservedFacts
  /** How it ended: one, unless something is wrong. */
  readonly outcomes: readonly ObservationOutcome[]
}

export interface RecordingObserver extends Observer {
  /** Those that stand in no other, in order of their start. */
  readonly observations: readonly RecordedObservation[]
  /** One line for each, indented by depth: kind, name, and `!` where it failed. */
  outline(): readonly string[]
}

/**
 * @example
 * const observer = recordingObserver()
 * await ChatClient.create(model, { observer }).prompt('Go').call().content()
 * expect(observer.outline()).toContain('    round 1')
 */
export function recordingObserver(options: { readonly content?: boolean } = {}): RecordingObserver {
  const observations: RecordedObservation[] = []
  return {
    content: options.content ?? false,
    observations,
    start(kind, info) {
      const children: RecordedObservation[] = []
      const events: ObservedEvent[] = []
      const outcomes: ObservationOutcome[] = []
      const factsTold: { [name: string]: string | number } = { ...info.facts }
      const recorded: RecordedObservation = {
        kind,
        info,
        children,
        events,
        factsTold,
        outcomes,
        facts: (facts) => void Object.assign(factsTold, facts),
        end: (outcome) => void outcomes.push(outcome),
        event: (event) => void events.push(event),
      }
      const parent = info.parent as RecordedObservation | undefined
      const siblings = (parent?.children ?? observations) as RecordedObservation[]
      siblings.push(recorded)
      return recorded
    },
    outline: () => observations.flatMap((each) => linesOf(each, '')),
  }
}

function linesOf(recorded: RecordedObservation, indent: string): readonly string[] {
  const { kind, info, outcomes, children } = recorded
  const mark = outcomes.length === 0 ? ' (open)' : outcomes[0]!.failed ? ' !' : ''
  const inner = children.flatMap((child) => linesOf(child, `${indent}  `))
  return [`${indent}${kind} ${info.name}${mark}`, ...inner]
}
