/** The events of a turn, for whoever follows it. Pieces that come together are told together. */
import type { TurnEvent } from '../protocol/conversation.ts'
import { EventLog, type Without } from '../server/event-log.ts'

export type TurnNews = Without<TurnEvent, 'seq' | 'at'>
type Piece = Extract<TurnNews, { readonly type: 'text' | 'reasoning' | 'call-arguments' }>

/** Older progress is forgotten. */
const PROGRESS_KEPT = 500

export class TurnLog {
  readonly events: EventLog<TurnEvent>
  /** A piece that more may be joined to. */
  #open: Piece | undefined
  #progress = 0

  /** `first` is the number of its first event: higher than any that a page may have of an earlier turn. */
  constructor(first: number) {
    this.events = new EventLog({ first })
  }

  add(event: TurnNews): void {
    if (isPiece(event)) return this.#join(event)
    this.flush()
    this.#append(event)
    if (event.type !== 'call-progress' || ++this.#progress <= PROGRESS_KEPT) return
    this.events.forget(({ type }) => type === 'call-progress')
  }

  flush(): void {
    const open = this.#open
    this.#open = undefined
    if (open) this.#append(open)
  }

  end(): void {
    this.flush()
    this.events.end()
  }

  #join(piece: Piece): void {
    const joined = this.#open && joinedPieces(this.#open, piece)
    if (joined) return void (this.#open = joined)
    if (this.#open) this.flush()
    else setImmediate(() => this.flush())
    this.#open = piece
  }

  #append(event: TurnNews): void {
    this.events.append({ at: Date.now(), ...event } as Without<TurnEvent, 'seq'>)
  }
}

const isPiece = (event: TurnNews): event is Piece =>
  event.type === 'text' || event.type === 'reasoning' || event.type === 'call-arguments'

function joinedPieces(one: Piece, other: Piece): Piece | undefined {
  if (one.type === 'call-arguments') {
    const isSame = other.type === one.type && other.id === one.id
    return isSame ? { ...one, delta: one.delta + other.delta } : undefined
  }
  return one.type === other.type ? { ...one, text: one.text + other.text } : undefined
}
