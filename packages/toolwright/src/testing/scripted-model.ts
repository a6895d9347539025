/**
 * A model that says what a script tells it, for tests and examples. It fails loudly when the script
 * runs out or the prompt is not the expected one, and it remembers every prompt it was given.
 */
import { ConfigurationError } from '../errors/errors.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse, FinishReason, Usage } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { AssistantPart, ToolCall } from '../messages/message.ts'
import type {
  ChatModel,
  ChatOptions,
  ModelCapabilities,
  ModelRun,
  Prompt,
} from '../model/chat-model.ts'
import { sleep, systemClock, type Clock } from '../ports/clock.ts'

/** A tool call in a script: arguments as a value, or as raw text to misbehave with. */
export interface ScriptedCall {
  readonly name: string
  readonly arguments?: Json
  readonly rawArguments?: string
  /** Default: `call_1`, `call_2`, ... over the whole script. */
  readonly id?: string
}

export interface ScriptedAnswer {
  readonly text?: string
  readonly toolCalls?: readonly ScriptedCall[]
  /** Whole parts, in order, instead of text and calls. */
  readonly parts?: readonly AssistantPart[]
  readonly finishReason?: FinishReason
  readonly usage?: Usage
  /** How the text is cut in a stream. Default: word by word. */
  readonly chunks?: readonly string[]
  /** Rejects with this, after the chunks. */
  readonly error?: unknown
  /** Waits before answering. */
  readonly delayMs?: number
  /** Never answers; only an abort ends it. */
  readonly hang?: boolean
  /** Throws to say that the prompt is not the expected one. */
  readonly expect?: (prompt: Prompt) => void
}

export type ScriptedStep = string | ScriptedAnswer | ((prompt: Prompt) => string | ScriptedAnswer)

export interface ScriptedModelOptions {
  readonly capabilities?: ModelCapabilities
  readonly options?: ChatOptions
  readonly clock?: Clock
}

export interface ScriptedModel extends ChatModel {
  /** Every prompt it was given, in order. */
  readonly prompts: readonly Prompt[]
  /** Steps not yet used. */
  readonly remaining: number
}

/**
 * @example
 * const model = scriptedModel([{ toolCalls: [{ name: 'now' }] }, 'It is noon.'])
 */
export function scriptedModel(
  steps: readonly ScriptedStep[],
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const clock = options.clock ?? systemClock
  const prompts: Prompt[] = []
  let calls = 0
  const next = async (prompt: Prompt, run: ModelRun | undefined): Promise<Scripted> => {
    const step = steps[prompts.length]
    prompts.push(prompt)
    if (step === undefined) throw outOfScript(steps.length, prompt)
    const said = typeof step === 'function' ? step(prompt) : step
    const answer: ScriptedAnswer = typeof said === 'string' ? { text: said } : said
    answer.expect?.(prompt)
    if (answer.hang) await forever(run?.signal)
    if (answer.delayMs) await sleep(clock, answer.delayMs, run?.signal)
    run?.signal?.throwIfAborted()
    return { answer, response: responseOf(answer, () => `call_${++calls}`) }
  }
  return {
    provider: 'scripted',
    model: 'scripted',
    capabilities: options.capabilities ?? {},
    options: options.options ?? {},
    prompts,
    get remaining() {
      return Math.max(0, steps.length - prompts.length)
    },
    async call(prompt, run) {
      const { answer, response } = await next(prompt, run)
      if ('error' in answer) throw answer.error
      return response
    },
    async *stream(prompt, run) {
      const { answer, response } = await next(prompt, run)
      for (const part of partsOf(response)) yield* eventsOf(part, answer)
      if ('error' in answer) throw answer.error
      yield { type: 'response', response }
    },
  }
}

interface Scripted {
  readonly answer: ScriptedAnswer
  readonly response: ChatResponse
}

function outOfScript(length: number, prompt: Prompt): ConfigurationError {
  const last = JSON.stringify(prompt.messages.at(-1))?.slice(0, 300)
  return new ConfigurationError(
    'script-mismatch',
    `The script has ${length} steps and the model was asked once more, with: ${last}.`,
  )
}

const forever = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

function responseOf(answer: ScriptedAnswer, newId: () => string): ChatResponse {
  const parts = answer.parts ?? [
    ...textParts(answer),
    ...(answer.toolCalls ?? []).map((call) => toolCall(call, newId)),
  ]
  const asks = parts.some((part) => part.type === 'tool-call')
  return {
    results: [
      {
        message: {
          role: 'assistant',
          content: parts.length === 1 && parts[0]!.type === 'text' ? parts[0]!.text : parts,
        },
        finishReason: answer.finishReason ?? (asks ? 'tool-calls' : 'stop'),
        metadata: {},
      },
    ],
    usage: answer.usage ?? {},
    model: 'scripted',
    metadata: {},
  }
}

function textParts(answer: ScriptedAnswer): readonly AssistantPart[] {
  const text = answer.text ?? answer.chunks?.join('')
  return text === undefined || text === '' ? [] : [{ type: 'text', text }]
}

function toolCall(call: ScriptedCall, newId: () => string): ToolCall {
  const args = call.rawArguments ?? JSON.stringify(call.arguments ?? {})
  return { type: 'tool-call', id: call.id ?? newId(), name: call.name, arguments: args }
}

function partsOf(response: ChatResponse): readonly AssistantPart[] {
  const content = response.results[0]?.message.content ?? []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function* eventsOf(part: AssistantPart, answer: ScriptedAnswer): Iterable<ChatEvent> {
  switch (part.type) {
    case 'text':
      for (const text of answer.chunks ?? part.text.match(/\s*\S+\s*/g) ?? [part.text])
        yield { type: 'text-delta', text }
      return
    case 'tool-call':
      yield { type: 'tool-call-start', id: part.id, name: part.name }
      for (let at = 0; at < part.arguments.length; at += 8) {
        yield { type: 'tool-call-delta', id: part.id, delta: part.arguments.slice(at, at + 8) }
      }
      yield { type: 'tool-call', toolCall: part }
      return
    case 'reasoning':
      if (part.text !== '') yield { type: 'reasoning-delta', text: part.text }
      yield { type: 'part', part }
      return
    default:
      yield { type: 'part', part }
  }
}
