/** What happens in a run, as events of its turn. States, contexts, prompts and raw values of tools stay here. */
import { textOf, type ChatEvent, type ChatResponse } from 'toolwright'
import { callStatus } from '../shown/call-status.ts'
import { shownContent, shownValue } from '../shown/shown-content.ts'
import { CallNames } from './call-names.ts'
import { shownPart } from './shown-part.ts'
import type { TurnLog } from './turn-log.ts'

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { readonly type: Type }>
type Handlers = { readonly [Type in ChatEvent['type']]?: (event: EventOf<Type>) => void }

export class TurnView {
  readonly #log: TurnLog
  readonly #denied: ReadonlySet<string>
  readonly #names = new CallNames()
  #round = 0
  /** Text of this round was streamed. */
  #hasSaid = false
  /** The thought that is being thought was streamed. */
  #hasThought = false

  /** `denied` are the calls that somebody has said no to. */
  constructor(log: TurnLog, denied: ReadonlySet<string>) {
    this.#log = log
    this.#denied = denied
  }

  show(event: ChatEvent): void {
    const isInner = event.parentCallId !== undefined
    // Words of a run inside a tool are not part of the answer.
    if (isInner && !INNER.has(event.type)) return
    if (!isInner && event.type !== 'response') this.#noteRound(event.round)
    const handler = this.#handlers[event.type] as ((event: ChatEvent) => void) | undefined
    handler?.(event)
  }

  readonly #handlers: Handlers = {
    'text-delta': ({ text }) => this.#say(text),
    'reasoning-delta': ({ text }) => {
      this.#hasThought = true
      this.#log.add({ type: 'reasoning', text })
    },
    part: ({ part }) => {
      const shown = shownPart(part)
      if (shown.type === 'reasoning') return this.#thinkWhole(shown)
      this.#log.add({ type: 'part', part: shown })
    },
    'tool-call-start': (event) =>
      this.#log.add({ type: 'call-start', name: event.name, ...this.#names.of(event, event.id) }),
    'tool-call-delta': (event) =>
      this.#log.add({
        type: 'call-arguments',
        id: this.#idOf(event, event.id),
        delta: event.delta,
      }),
    'tool-call': (event) => {
      const { id, name, arguments: json } = event.toolCall
      this.#log.add({ type: 'call', name, arguments: json, ...this.#names.of(event, id) })
    },
    'tool-execution-start': (event) =>
      this.#log.add({ type: 'call-run', id: this.#idOf(event, event.toolCall.id) }),
    'tool-progress': (event) =>
      this.#log.add({
        type: 'call-progress',
        id: this.#idOf(event, event.toolCall.id),
        value: shownValue(event.progress),
      }),
    'tool-result': (event) => {
      const { response } = event
      const id = this.#idOf(event, response.id)
      this.#log.add({
        type: 'call-result',
        id,
        content: shownContent(response.content),
        // Of calls inside of tools only those that stand under their own ids were decided here.
        status: callStatus(response, id === response.id ? this.#denied : undefined),
      })
    },
    notice: ({ code, message }) => this.#log.add({ type: 'notice', code, message }),
    // Some models answer whole.
    'round-end': ({ response }) => this.#sayOnce(response),
    response: ({ response }) => {
      if (response.results[0]?.finishReason === 'return-direct') this.#sayWhole(response)
    },
  }

  #idOf(event: ChatEvent, id: string): string {
    return this.#names.of(event, id).id
  }

  #noteRound(round: number | undefined): void {
    if (round === undefined || round <= this.#round) return
    this.#round = round
    this.#hasSaid = false
    this.#log.add({ type: 'round', round })
  }

  #say(text: string): void {
    if (text === '') return
    this.#hasSaid = true
    this.#log.add({ type: 'text', text })
  }

  /** A thought comes whole after its pieces, and without any from models that do not stream. */
  #thinkWhole(thought: { readonly type: 'reasoning'; readonly text: string }): void {
    if (!this.#hasThought) this.#log.add(thought)
    this.#hasThought = false
  }

  #sayOnce(response: ChatResponse): void {
    if (!this.#hasSaid) this.#say(textOf(response))
  }

  /** The direct result of a tool was never streamed. */
  #sayWhole({ results }: ChatResponse): void {
    for (const { message } of results) {
      if (typeof message.content === 'string') this.#say(message.content)
      else
        for (const part of message.content) {
          if (part.type === 'text') this.#say(part.text)
          else if (part.type !== 'tool-call' && part.type !== 'reasoning')
            this.#log.add({ type: 'part', part: shownPart(part) })
        }
    }
  }
}

/** The events of a run inside a tool that are shown. */
const INNER: ReadonlySet<ChatEvent['type']> = new Set([
  'tool-call-start',
  'tool-call-delta',
  'tool-call',
  'tool-execution-start',
  'tool-progress',
  'tool-result',
  'notice',
])
