/**
 * Parts that a provider opens, changes and closes by a key, several at a time: blocks of content, items
 * of output. They are told as complete in the order in which they began, which is the order of the message.
 */
import type { AssistantPart } from '../../messages/message.ts'
import type { AnswerEvents } from './answer-events.ts'

interface Slot<Open> {
  readonly open: Open | undefined
  parts: readonly AssistantPart[] | undefined
}

export class PartAssembler<Open> {
  readonly #events: AnswerEvents
  readonly #slots: Slot<Open>[] = []
  readonly #open = new Map<unknown, Slot<Open>>()
  /** How many were told as complete. */
  #told = 0

  constructor(events: AnswerEvents) {
    this.#events = events
  }

  /** Whether one is open under this key. */
  has(key: unknown): boolean {
    return this.#open.has(key)
  }

  /** The open one under this key. */
  at(key: unknown): Open | undefined {
    return this.#open.get(key)?.open
  }

  /** All that are open, in the order they began. */
  entries(): readonly (readonly [key: unknown, open: Open])[] {
    return Array.from(this.#open, ([key, slot]) => [key, slot.open!] as const)
  }

  start(key: unknown, open: Open): void {
    const slot = { open, parts: undefined }
    this.#slots.push(slot)
    this.#open.set(key, slot)
  }

  /** @param parts what it became: one part of the message, or several where an item holds them together */
  close(key: unknown, parts: readonly AssistantPart[]): void {
    const slot = this.#open.get(key)
    if (slot === undefined) return
    this.#open.delete(key)
    slot.parts = parts
    this.#tell()
  }

  /** One that came whole. */
  add(part: AssistantPart): void {
    this.#slots.push({ open: undefined, parts: [part] })
    this.#tell()
  }

  /** All of the message. Only called once every part is closed. */
  get parts(): readonly AssistantPart[] {
    return this.#slots.flatMap(({ parts }) => parts!)
  }

  #tell(): void {
    for (; this.#slots[this.#told]?.parts !== undefined; this.#told++)
      for (const part of this.#slots[this.#told]!.parts!) this.#events.complete(part)
  }
}
