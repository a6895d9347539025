/**
 * What readers of one run were told before a crash. A run that is replayed tells much of it again, in another form: the
 * text of a round in one piece, nothing of a run inside a tool that is one step. Here that is brought together, so that
 * the log has everything once.
 */
import { toolCallsOf, type ChatEvent } from 'toolwright'

interface SeenRound {
  text: string
  isEnded: boolean
}

export class SeenEvents {
  readonly #told = new Set<string>()
  /** The calls that were told in this life. */
  readonly #now = new Set<string>()
  readonly #rounds = new Map<number, SeenRound>()

  constructor(events: readonly ChatEvent[]) {
    for (const event of events) this.#note(event)
  }

  /** The events that take this one's place in the log: itself, what is missing of it, or nothing. */
  fresh(event: ChatEvent): readonly ChatEvent[] {
    const round = this.#rounds.get(event.round ?? 1)
    if (event.type === 'text-delta' && round) return restOfText(event, round)
    const identity = identityOf(event)
    if (identity !== undefined && this.#told.has(identity)) return []
    if (event.type === 'round-end') return [...this.#missingCalls(event), event]
    if (event.type === 'tool-call-start' || event.type === 'tool-call') this.#now.add(identity!)
    return [event]
  }

  /** The model is asked anew in this round. True when readers were told a part of an answer that is now void. */
  restart(round: number): boolean {
    const seen = this.#rounds.get(round)
    if (!seen || seen.isEnded) return false
    this.#rounds.delete(round)
    for (const identity of this.#told)
      if (identity.startsWith(`${round}:`)) this.#told.delete(identity)
    return true
  }

  #note(event: ChatEvent): void {
    const number = event.round ?? 1
    if (event.type === 'notice' && event.code === 'round-restarted') this.restart(number)
    const identity = identityOf(event)
    if (identity !== undefined) this.#told.add(identity)
    if (!OF_A_ROUND.has(event.type)) return
    const round = this.#rounds.get(number) ?? { text: '', isEnded: false }
    this.#rounds.set(number, round)
    if (event.type === 'text-delta') round.text += event.text
    if (event.type === 'round-end') round.isEnded = true
  }

  /** A model tells its calls before its end; of a round that comes from its record the end is all there is. */
  #missingCalls({
    response,
    ...origin
  }: Extract<ChatEvent, { type: 'round-end' }>): readonly ChatEvent[] {
    const { runId, parentCallId, round = 1 } = origin
    const at = {
      ...(runId !== undefined && { runId }),
      ...(parentCallId !== undefined && { parentCallId }),
      round,
    }
    return toolCallsOf(response)
      .flatMap((toolCall): readonly ChatEvent[] => [
        { ...at, type: 'tool-call-start', id: toolCall.id, name: toolCall.name },
        { ...at, type: 'tool-call', toolCall },
      ])
      .filter((event) => {
        const identity = identityOf(event)!
        return !this.#told.has(identity) && !this.#now.has(identity)
      })
  }
}

/** Only a model's answer is made of these. */
const OF_A_ROUND = new Set<ChatEvent['type']>([
  'text-delta', 'reasoning-delta', 'tool-call-start', 'tool-call-delta', 'tool-call', 'part', 'round-end',
]) // prettier-ignore

function restOfText(
  event: Extract<ChatEvent, { type: 'text-delta' }>,
  round: SeenRound,
): readonly ChatEvent[] {
  const text = round.isEnded ? '' : event.text.slice(round.text.length)
  if (!round.isEnded) round.text = event.text
  return text === '' ? [] : [{ ...event, text }]
}

/** Undefined for deltas and progress: they are told while they happen, and never replayed. */
function identityOf(event: ChatEvent): string | undefined {
  const round = event.round ?? 1
  switch (event.type) {
    case 'tool-call-start':
      return `${round}:start:${event.id}`
    case 'tool-call':
    case 'tool-execution-start':
    case 'tool-result':
      return `${round}:${event.type}:${event.toolCall.id}`
    case 'notice':
      return `${round}:notice:${event.code}:${event.message}`
    case 'part':
      return `${round}:part:${JSON.stringify(event.part)}`
    case 'suspended':
      return `suspended:${event.state.id}`
    case 'round-end':
      return `${round}:end`
    case 'response':
      return 'response'
    default:
      return undefined
  }
}
