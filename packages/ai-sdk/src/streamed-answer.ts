/**
 * The parts of a stream as chat events and, at its end, the response. Texts, thoughts and calls are opened,
 * continued and closed by id, several at a time; the message has them in the order in which they began, and they
 * are told as complete in this order.
 */
import type { AssistantPart, ChatEvent, ChatResponse, ModelResponseError } from 'toolwright'
import { fromContent, reasoningParts, textParts } from './from-content.ts'
import { incomplete } from './incomplete.ts'
import { received, textOr, type Received } from './received.ts'
import type { Ending } from './specification.ts'
import { isMissingEnd, toError } from './to-error.ts'
import { withOwnName } from './tool-names.ts'
import { toResponse, type Answerer } from './to-response.ts'
import { warningNotices } from './warning-notices.ts'

interface Slot {
  readonly kind: 'text' | 'reasoning' | 'call'
  /** The tool of a call. */
  readonly name: string
  /** A call whose pieces are told. */
  readonly isTold: boolean
  text: string
  /** What the provider last said about it. */
  providerMetadata: unknown
  /** Once it is complete. */
  parts: readonly AssistantPart[] | undefined
}

type Handler = (answer: StreamedAnswer, part: Received) => void

/** What each part of a stream does. Types that are not listed are whole parts of the message. */
export const STREAM_PARTS: { readonly [type: string]: Handler } = {
  'stream-start': (answer, part) => answer.warn(part.warnings),
  'response-metadata': (answer, part) => answer.tellAbout(part),
  'text-start': (answer, part) => answer.open('text', part),
  'text-delta': (answer, part) => answer.add('text', part),
  'text-end': (answer, part) => answer.close('text', part),
  'reasoning-start': (answer, part) => answer.open('reasoning', part),
  'reasoning-delta': (answer, part) => answer.add('reasoning', part),
  'reasoning-end': (answer, part) => answer.close('reasoning', part),
  'tool-input-start': (answer, part) => answer.open('call', part),
  'tool-input-delta': (answer, part) => answer.add('call', part),
  // The call is complete with its `tool-call`.
  'tool-input-end': () => {},
  'tool-call': (answer, part) => answer.call(part),
  'tool-result': whole,
  'tool-approval-request': whole,
  file: whole,
  'reasoning-file': whole,
  source: whole,
  custom: whole,
  finish: (answer, part) => answer.finish(part),
  error: (answer, part) => answer.fail(part.error),
  raw: () => {},
  ping: () => {},
}

function whole(answer: StreamedAnswer, part: Received): void {
  answer.addWhole(fromContent([part]))
}

export class StreamedAnswer {
  readonly #answerer: Answerer
  #events: ChatEvent[] = []
  readonly #slots: Slot[] = []
  readonly #open = new Map<string, Slot>()
  /** How many slots were told as complete. */
  #told = 0
  #about: Received = {}
  #finish: Received | undefined

  constructor(answerer: Answerer) {
    this.#answerer = answerer
  }

  take(given: unknown): void {
    const part = withOwnName(received(given), this.#answerer.ownName)
    const type = textOr(part.type, '')
    const handle = Object.hasOwn(STREAM_PARTS, type) ? STREAM_PARTS[type]! : whole
    if (type !== '') handle(this, part)
  }

  /** The events since the last time. */
  events(): readonly ChatEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  get isFinished(): boolean {
    return this.#finish !== undefined
  }

  /** The error of a stream that ended or broke before its end. */
  broken(how: string, cause?: unknown): ModelResponseError {
    const parts = this.#slots.flatMap((slot) => partsOf(slot))
    return incomplete({ provider: this.#answerer.provider, how, parts, cause })
  }

  /** Only called once the stream has said how it ended. */
  response(): ChatResponse {
    const fields = this.#finish!
    const ending = this.#answerer.spec.ending(fields.finishReason)
    for (const slot of this.#open.values()) slot.parts = this.#unended(slot, ending)
    this.#tell()
    const parts = this.#slots.flatMap(({ parts }) => parts ?? [])
    return toResponse(this.#answerer, { parts, ending, fields, about: this.#about })
  }

  warn(warnings: unknown): void {
    this.#events.push(...warningNotices(this.#answerer.provider, warnings))
  }

  tellAbout(part: Received): void {
    const said = Object.entries(part).filter(([, value]) => value !== undefined && value !== null)
    this.#about = { ...this.#about, ...Object.fromEntries(said) }
  }

  open(kind: Slot['kind'], part: Received): Slot {
    const key = keyOf(kind, part)
    const { toolName, inputEncoding, providerExecuted } = part
    const before = this.#open.get(key)
    if (before && isStartedAgain(before, textOr(toolName, ''))) return before
    // A call that never ends must not hold back what follows it.
    if (before) before.parts = partsOf(before)
    const slot: Slot = {
      kind,
      name: textOr(toolName, ''),
      // Pieces that are no JSON would not join to the arguments.
      isTold: kind === 'call' && !providerExecuted && inputEncoding !== 'text',
      text: '',
      providerMetadata: part.providerMetadata,
      parts: undefined,
    }
    this.#slots.push(slot)
    this.#open.set(key, slot)
    if (kind === 'call' && !providerExecuted)
      this.#events.push({ type: 'tool-call-start', id: textOr(part.id, ''), name: slot.name })
    return slot
  }

  add(kind: Slot['kind'], part: Received): void {
    const slot = this.#open.get(keyOf(kind, part)) ?? this.#openLate(kind, part)
    if (slot === undefined) return
    slot.providerMetadata = part.providerMetadata ?? slot.providerMetadata
    const delta = textOr(part.delta, '')
    if (delta === '') return
    slot.text += delta
    if (kind === 'text') this.#events.push({ type: 'text-delta', text: delta })
    else if (kind === 'reasoning') this.#events.push({ type: 'reasoning-delta', text: delta })
    else if (slot.isTold)
      this.#events.push({ type: 'tool-call-delta', id: textOr(part.id, ''), delta })
  }

  close(kind: 'text' | 'reasoning', part: Received): void {
    const key = keyOf(kind, part)
    const slot = this.#open.get(key)
    if (slot === undefined) return
    this.#open.delete(key)
    slot.providerMetadata = part.providerMetadata ?? slot.providerMetadata
    slot.parts = partsOf(slot, part.citations)
    this.#tell()
  }

  call(part: Received): void {
    const key = keyOf('call', { id: part.toolCallId })
    const slot = this.#open.get(key) ?? this.open('call', { ...part, id: part.toolCallId })
    this.#open.delete(key)
    const { providerMetadata } = slot
    slot.parts = fromContent([{ providerMetadata, ...withoutNothing(part) }])
    this.#tell()
  }

  addWhole(parts: readonly AssistantPart[]): void {
    this.#slots.push({ ...WHOLE, parts })
    this.#tell()
  }

  finish(part: Received): void {
    this.#finish = part
  }

  fail(error: unknown): void {
    throw isMissingEnd(error)
      ? this.broken('before its end')
      : toError(this.#answerer.provider, error)
  }

  /** The provider may send pieces of a text that it has not begun. A piece of a call that it has not begun is dropped. */
  #openLate(kind: Slot['kind'], part: Received): Slot | undefined {
    return kind === 'call' ? undefined : this.open(kind, part)
  }

  /** A call that was begun and never completed is only left out where the answer itself says that it was cut. */
  #unended(slot: Slot, { reason }: Ending): readonly AssistantPart[] {
    if (slot.kind !== 'call') return partsOf(slot)
    if (slot.isTold && (reason === 'stop' || reason === 'tool-calls'))
      throw this.broken(`inside the call of tool "${slot.name.slice(0, 64)}"`)
    return []
  }

  #tell(): void {
    for (; this.#slots[this.#told]?.parts !== undefined; this.#told++) {
      for (const part of this.#slots[this.#told]!.parts!) {
        if (part.type === 'tool-call') this.#events.push({ type: 'tool-call', toolCall: part })
        else if (part.type !== 'text') this.#events.push({ type: 'part', part })
      }
    }
  }
}

/** Gateways that resume a stream send the start of a call twice. */
const isStartedAgain = ({ kind, name, text }: Slot, again: string): boolean =>
  kind === 'call' && name === again && text === ''

const WHOLE = {
  kind: 'text',
  name: '',
  isTold: false,
  text: '',
  providerMetadata: undefined,
} as const

const keyOf = (kind: Slot['kind'], { id }: Received): string => `${kind} ${textOr(id, '')}`

function partsOf(slot: Slot, citations?: unknown): readonly AssistantPart[] {
  const { kind, text, providerMetadata, parts } = slot
  if (parts) return parts
  if (kind === 'call') return []
  return kind === 'text'
    ? textParts({ text, providerMetadata, citations })
    : reasoningParts({ text, providerMetadata })
}

const withoutNothing = (part: Received): Received =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))
