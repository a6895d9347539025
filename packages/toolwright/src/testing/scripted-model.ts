/**
 * A model that says what a script tells it, for tests and examples. It fails loudly when the script
 * runs out or the prompt is not the expected one, and it remembers every prompt it was given.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
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
import { streamedParts } from './streamed-parts.ts'

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
  /** How the text is cut in a stream; may stand alone, without `text`. Default: word by word. */
  readonly chunks?: readonly string[]
  /** Rejects with this; a stream says the rest first. */
  readonly error?: unknown
  /** Waits before answering. */
  readonly delayMs?: number
  /** Never ends; only an abort does. A stream says the rest first. */
  readonly hang?: boolean
  /** Throws to say that the prompt is not the expected one. */
  readonly expect?: (prompt: Prompt) => void
}

export type ScriptedStep = string | ScriptedAnswer | ((prompt: Prompt) => string | ScriptedAnswer)

export interface ScriptedModelOptions {
  /** What it claims to support. Default: tools. */
  readonly capabilities?: ModelCapabilities
  /** Its own defaults. */
  readonly options?: ChatOptions
  /** Times the delays of the script. Default: the real one. */
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
    run?.signal?.throwIfAborted()
    const step = steps[prompts.length]
    prompts.push(prompt)
    if (step === undefined) throw outOfScript(steps.length, prompt)
    const answer = checkedAnswer(typeof step === 'function' ? step(prompt) : step)
    answer.expect?.(prompt)
    if (answer.delayMs) await sleep(clock, answer.delayMs, run?.signal)
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
      if (answer.hang) await forever(run?.signal)
      if ('error' in answer) throw answer.error
      return response
    },
    async *stream(prompt, run) {
      const { answer, response } = await next(prompt, run)
      for (const event of streamedParts(response, answer.chunks)) {
        run?.signal?.throwIfAborted()
        yield event
      }
      if (answer.hang) await forever(run?.signal)
      if ('error' in answer) throw answer.error
      run?.signal?.throwIfAborted()
      yield { type: 'response', response }
    },
  }
}

interface Scripted {
  readonly answer: ScriptedAnswer
  readonly response: ChatResponse
}

const ANSWER_FIELDS = [
  'text', 'toolCalls', 'parts', 'finishReason', 'usage', 'chunks', 'error', 'delayMs', 'hang', 'expect',
] as const satisfies readonly (keyof ScriptedAnswer)[] // prettier-ignore

/** A script with a mistake in it must not pass for a model that says nothing. */
function checkedAnswer(said: string | ScriptedAnswer): ScriptedAnswer {
  if (typeof said === 'string') return { text: said }
  checkOptions('A step of scriptedModel()', said, ANSWER_FIELDS)
  const { parts, text, toolCalls, chunks } = said
  if (parts && (text !== undefined || toolCalls || chunks))
    throw badStep('parts stand for the whole answer: leave text, toolCalls and chunks out')
  if (chunks && text !== undefined && chunks.join('') !== text)
    throw badStep(`the chunks join to ${JSON.stringify(chunks.join(''))}, not to the text`)
  return said
}

const badStep = (problem: string): ConfigurationError =>
  new ConfigurationError('script-mismatch', `A step of the script is wrong: ${problem}.`)

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
