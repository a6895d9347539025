/**
 * Remembers the newest turns as they are, and of the older ones a summary that a model makes. Nothing is replaced:
 * the turns stay in the repository, and a summary is appended that says what it stands for. A summary that fails
 * costs nothing: the turns stay until the next one. A turn with a call that has no response yet is not folded.
 */
import { ConfigurationError, ModelResponseError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { notice } from '../errors/notices.ts'
import { redact } from '../errors/redact.ts'
import { canonicalJson } from '../internal/canonical-json.ts'
import { checkNumber, checkOptions } from '../internal/check-options.ts'
import { Aborter } from '../internal/on-abort.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { Message } from '../messages/message.ts'
import { textOf, toolCallsOf } from '../messages/reading.ts'
import { labelMet } from '../messages/run-label.ts'
import type { ChatModel } from '../model/chat-model.ts'
import { systemClock, type Clock } from '../ports/clock.ts'
import { environmentVariable } from '../ports/environment.ts'
import { inTime } from '../ports/in-time.ts'
import { askForSummary, MOST_TEXT, SUMMARY_INSTRUCTIONS, summaryOf } from './ask-for-summary.ts'
import type { ChatMemory, ChatMemoryRepository } from './chat-memory.ts'
import { nextFold, readFolded, shownMessages, type Fold, type FoldedView } from './folded-view.ts'
import { inMemoryRepository } from './in-memory-repository.ts'
import { shownSummary, summaryMessage } from './summary-message.ts'

/** What came of an attempt to fold older turns. */
export type SummaryReport = { readonly key: ConversationKey } & (
  | {
      readonly status: 'made'
      readonly text: string
      /** How many messages it stands for, besides what the summary before it did. */
      readonly messages: number
      /** The model's answer, with its usage. */
      readonly response: ChatResponse
    }
  | {
      /** The turns are kept; the next turn tries again. */
      readonly status: 'failed'
      readonly error: unknown
      /** If the model answered: it has its usage. */
      readonly response?: ChatResponse
    }
)

export interface SummarisingOptions {
  /** Makes the summaries. A small one will do. */
  readonly model: ChatModel
  /** How many of the newest turns are never folded. Default 6. */
  readonly keepTurns?: number
  /** How many turns more there must be before they are folded, all at once. Default `keepTurns`. */
  readonly foldTurns?: number
  /** What the model is told to do. Default: `SUMMARY_INSTRUCTIONS`. */
  readonly instructions?: string
  /** Is told of every summary, with what it cost, and of every one that failed. Default: the first failure is shown on stderr. */
  readonly onSummary?: (report: SummaryReport) => void
  /** How long a summary may take, in ms. Default 60,000. */
  readonly timeoutMs?: number
  /** Default: in this process. */
  readonly repository?: ChatMemoryRepository
  /** Default: the system's. */
  readonly clock?: Clock
}

const OPTIONS = [
  'model',
  'keepTurns',
  'foldTurns',
  'instructions',
  'onSummary',
  'timeoutMs',
  'repository',
  'clock',
]

/**
 * A memory for `chatMemoryAdvisor`. The summary is made when an answer is stored, before the run ends.
 *
 * @example
 * chatMemoryAdvisor(summarisingMemory({ model: openai('gpt-5-mini'), keepTurns: 6 }))
 */
export function summarisingMemory(options: SummarisingOptions): ChatMemory {
  const folder = new Folder(options)
  const { repository } = folder
  return {
    async add(key, messages) {
      await repository.append(key, messages)
      if (endsTurn(messages)) await folder.fold(key)
    },
    get: async (key) => shownMessages(await readFolded(repository, key)),
    async clear(key) {
      folder.forget(key)
      await repository.delete(key)
    },
  }
}

/** A run that has only asked so far does not wait for a summary. */
function endsTurn(messages: readonly Message[]): boolean {
  const last = messages.at(-1)
  return last?.role === 'assistant' && toolCallsOf(last).length === 0
}

/** An old conversation that was never folded is folded in so many steps at most, and goes on with the next turn. */
const MOST_FOLDS = 10

/** A class, because it knows which conversations it is at. */
class Folder {
  readonly repository: ChatMemoryRepository
  readonly #options: SummarisingOptions
  readonly #clock: Clock
  readonly #ms: number
  readonly #keepTurns: number
  readonly #foldTurns: number
  /** Conversations that are being folded: whoever else writes there need not. */
  readonly #busy = new Map<string, object>()
  #hasTold = false

  constructor(options: SummarisingOptions) {
    checkOptions('summarisingMemory()', options ?? {}, OPTIONS)
    const { model, keepTurns = 6, foldTurns = keepTurns, timeoutMs = 60_000 } = options ?? {}
    if (typeof (model as Partial<ChatModel> | undefined)?.call !== 'function')
      throw new ConfigurationError(
        'invalid-option',
        'summarisingMemory() takes a chat model: { model }.',
      )
    if (options.onSummary !== undefined && typeof options.onSummary !== 'function')
      throw new ConfigurationError('invalid-option', 'onSummary is a function from a report.')
    checkNumber('keepTurns', keepTurns, { least: 1, isWhole: true })
    checkNumber('foldTurns', foldTurns, { least: 1, isWhole: true })
    checkNumber('timeoutMs', timeoutMs, { least: 1 })
    this.#options = options
    this.repository = options.repository ?? inMemoryRepository()
    this.#clock = options.clock ?? systemClock
    this.#ms = timeoutMs
    this.#keepTurns = keepTurns
    this.#foldTurns = foldTurns
  }

  /** A summary of a conversation that was cleared is not stored. */
  forget(key: ConversationKey): void {
    this.#busy.delete(canonicalJson([key]))
  }

  async fold(key: ConversationKey): Promise<void> {
    const name = canonicalJson([key])
    if (this.#busy.has(name)) return
    const turn = {}
    this.#busy.set(name, turn)
    const isCurrent = (): boolean => this.#busy.get(name) === turn
    try {
      for (let folds = 0; folds < MOST_FOLDS && isCurrent(); folds++) {
        const view = await readFolded(this.repository, key)
        const fold = nextFold(view, this.#rule())
        if (!fold || !(await this.#summarise(key, view, { fold, isCurrent }))) return
      }
    } catch (error) {
      this.#report({ key, status: 'failed', error })
    } finally {
      if (isCurrent()) this.#busy.delete(name)
    }
  }

  #rule(): Parameters<typeof nextFold>[1] {
    return {
      keepTurns: this.#keepTurns,
      foldTurns: this.#foldTurns,
      sizeOf: (message) => textOf(message).length,
      maxSize: MOST_TEXT,
    }
  }

  async #summarise(
    key: ConversationKey,
    { summary }: FoldedView,
    { fold, isCurrent }: { readonly fold: Fold; isCurrent(): boolean },
  ): Promise<boolean> {
    let response: ChatResponse | undefined
    try {
      response = await this.#ask(summary?.text, fold.messages)
      const text = summaryOf(response)
      if (!isCurrent()) return false
      const label = labelMet([...(summary ? [shownSummary(summary)] : []), ...fold.messages])
      const { covers, open, messages } = fold
      await this.repository.append(key, [
        summaryMessage({ text, covers, open, ...(label && { label }) }),
      ])
      this.#report({ key, status: 'made', text, messages: messages.length, response })
      return true
    } catch (error) {
      this.#report({ key, status: 'failed', error, ...(response && { response }) })
      return false
    }
  }

  #ask(before: string | undefined, messages: readonly Message[]): Promise<ChatResponse> {
    const { model, instructions = SUMMARY_INSTRUCTIONS } = this.#options
    const aborter = new Aborter()
    const late = (): never => {
      const error = new ModelResponseError(
        'no-answer',
        `The model made no summary within ${this.#ms} ms.`,
      )
      aborter.abort(error)
      throw error
    }
    const asked = askForSummary(model, { before, messages, instructions }, aborter.signal)
    return inTime({ clock: this.#clock, ms: this.#ms }, asked, late)
  }

  #report(report: SummaryReport): void {
    const { onSummary } = this.#options
    try {
      if (onSummary) return onSummary(report)
      if (report.status === 'failed')
        this.#tell('A summary of older turns failed, so they are kept', report.error)
    } catch (thrown) {
      this.#tell('onSummary threw, which changes nothing', thrown)
    }
  }

  /** Once: what fails for one conversation mostly fails for all. */
  #tell(what: string, thrown: unknown): void {
    if (this.#hasTold || environmentVariable('NODE_ENV') === 'production') return
    this.#hasTold = true
    const { message } = notice('summary-failed', `${what}: ${redact(messageOfThrown(thrown))}`)
    console.error(`toolwright: ${message}`)
  }
}
