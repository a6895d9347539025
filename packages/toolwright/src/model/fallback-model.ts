/**
 * Several models as one: if a model fails before it has produced anything, the next one is asked. Retries,
 * options and the wire stay each model's own.
 */
import {
  ConfigurationError,
  ModelResponseError,
  ProviderError,
  ToolwrightError,
} from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { notice } from '../errors/notices.ts'
import { redact } from '../errors/redact.ts'
import { REST, type BatchedIterator } from '../internal/each-of.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import { isChatEvent } from '../messages/is-chat-event.ts'
import type { ChatModel, ModelCapabilities, ModelRun, Prompt } from './chat-model.ts'
import { runsTools } from './runs-tools.ts'

/**
 * Asks the models in turn; every exchange starts with the first. Any failure leads to the next model, except
 * wrong use and aborts, which are the caller's. Once a stream has produced something, its failure ends the
 * run, because a second beginning would contradict the first. Each switch is a `model-fallback` notice. If
 * all models fail, the error's cause holds all their errors.
 *
 * The model can do what all of them can. Each keeps its own default options; a client offers the default
 * tools of the first to all, so that the conversation stays valid when another model takes over.
 *
 * @example
 * const model = fallbackModel([anthropic('claude-sonnet-5'), openaiCompatible('qwen3', { baseUrl })])
 */
export function fallbackModel(models: readonly ChatModel[]): ChatModel {
  checkModels(models)
  const { tools, toolNames, toolContext } = models[0]!.options ?? {}
  return {
    provider: 'fallback',
    model: models.map(nameOf).join(' or '),
    capabilities: sharedCapabilities(models),
    options: { tools, toolNames, toolContext },
    resolver: models[0]!.resolver,
    async call(prompt, run) {
      const attempts = new Attempts(models, run)
      for (;;) {
        try {
          return await attempts.model.call(prompt, run)
        } catch (thrown) {
          const switched = attempts.next(thrown)
          run?.emit?.(switched)
        }
      }
    },
    stream: (prompt, run) => new FallbackStream(prompt, new Attempts(models, run)),
  }
}

function checkModels(models: unknown): void {
  const list: readonly unknown[] = Array.isArray(models) ? models : []
  if (list.length === 0)
    throw new ConfigurationError('invalid-option', 'fallbackModel() takes a list of models.')
  for (const each of list as readonly ChatModel[]) {
    if (typeof each?.call !== 'function' || typeof each.stream !== 'function')
      throw new ConfigurationError(
        'invalid-option',
        'fallbackModel() got something else than a model.',
      )
    if (runsTools(each))
      throw new ConfigurationError(
        'invalid-option',
        'A model of fallbackModel() runs tools itself, and the next could run them again; write withToolExecution(fallbackModel([...])).',
      )
  }
}

const nameOf = ({ provider, model }: ChatModel): string => `${provider} ${model}`

/** A missing capability means no, except for tools. */
function sharedCapabilities(models: readonly ChatModel[]): ModelCapabilities {
  const all = models.map(
    ({ capabilities }) => (capabilities ?? {}) as { readonly [name: string]: boolean },
  )
  const names = new Set(['tools', ...all.flatMap((each) => Object.keys(each))])
  return Object.fromEntries(
    Array.from(names, (name) => [name, all.every((each) => each[name] ?? name === 'tools')]),
  )
}

/** One exchange: the model that is asked now, and the failures so far. */
class Attempts {
  readonly run: ModelRun | undefined
  readonly #models: readonly ChatModel[]
  readonly #errors: unknown[] = []

  constructor(models: readonly ChatModel[], run: ModelRun | undefined) {
    this.#models = models
    this.run = run
  }

  get model(): ChatModel {
    return this.#models[this.#errors.length]!
  }

  /**
   * Moves on to the next model and returns the notice. Throws if there is no next model, or if it could not
   * help.
   */
  next(thrown: unknown): ChatEvent {
    if (this.run?.signal?.aborted || isCallersFault(thrown)) throw thrown
    const failed = this.model
    this.#errors.push(thrown)
    if (!this.model) throw this.#failure(thrown)
    const [from, to] = [nameOf(failed), nameOf(this.model)]
    const message = `${from} failed, so ${to} is asked: ${wordsOf(thrown)}`
    return notice('model-fallback', message, { from, to })
  }

  #failure(last: unknown): unknown {
    if (this.#errors.length === 1) return last
    const each = this.#models.map((model, i) => `${nameOf(model)}: ${wordsOf(this.#errors[i])}`)
    return new ProviderError('all-models-failed', `All models failed. ${each.join(' ')}`, {
      provider: 'fallback',
      cause: new AggregateError(this.#errors),
      retryable: this.#errors.some((error) => ToolwrightError.is(error) && error.retryable),
    })
  }
}

/** Whether the failure is wrong use or a spent budget: another model would fail too, or must not try. */
const isCallersFault = (thrown: unknown): boolean =>
  ToolwrightError.is(thrown) && (thrown.family === 'caller' || thrown.family === 'limits')

const wordsOf = (thrown: unknown): string => redact(messageOfThrown(thrown))

/** An explicit iterator, so that events that arrived together can be passed on together. */
class FallbackStream implements AsyncIterableIterator<ChatEvent>, BatchedIterator<ChatEvent> {
  readonly #prompt: Prompt
  readonly #attempts: Attempts
  #events: (AsyncIterator<ChatEvent> & Partial<BatchedIterator<ChatEvent>>) | undefined
  /** The current model has produced something, so no other one may take over. */
  #chosen = false
  #trying: Promise<unknown> = Promise.resolve()

  constructor(prompt: Prompt, attempts: Attempts) {
    this.#prompt = prompt
    this.#attempts = attempts
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<ChatEvent>> {
    if (this.#chosen) return this.#events!.next()
    // Requests wait for each other: one failure must not count twice.
    this.#trying = this.#trying.then(() => (this.#chosen ? this.#events!.next() : this.#try()))
    return this.#trying as Promise<IteratorResult<ChatEvent>>
  }

  [REST](): readonly ChatEvent[] {
    return this.#chosen ? (this.#events![REST]?.() ?? []) : []
  }

  async return(): Promise<IteratorResult<ChatEvent>> {
    await this.#events?.return?.()
    return { done: true, value: undefined }
  }

  async #try(): Promise<IteratorResult<ChatEvent>> {
    const { model, run } = this.#attempts
    try {
      this.#events ??= model.stream(this.#prompt, run)[Symbol.asyncIterator]()
      const step = await this.#events.next()
      if (step.done)
        throw new ModelResponseError('incomplete-stream', 'The model stream ended at once.')
      this.#chosen = showsSomething(step.value)
      return step
    } catch (thrown) {
      this.#events = undefined
      return { done: false, value: this.#attempts.next(thrown) }
    }
  }
}

const showsSomething = (event: ChatEvent): boolean =>
  isChatEvent(event) && event.type !== 'notice' && !('text' in event && event.text === '')
