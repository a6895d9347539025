/** The conversations that are kept, of the playground alone: the database may hold those of others. */
import type { MessageRange, SqlMemoryRepository } from '@toolwright/sql'
import {
  ConfigurationError,
  messageWindowMemory,
  type ChatMemoryRepository,
  type ConversationKey,
  type Message,
  type UserMessage,
} from 'toolwright'
import { Refusal } from '../server/refusal.ts'
import type { TurnFacts } from './turn.ts'

/** Its conversations are those of this tenant. */
export const TENANT = 'playground'
/** Enough for a long conversation with tools; whole turns are dropped, oldest first. */
const REMEMBERED_MESSAGES = 200

export const keyOf = (id: string): ConversationKey => ({ tenant: TENANT, conversation: id })

export interface Stored {
  readonly id: string
  readonly messages: number
  readonly changedAt: number
}

export class ConversationBook {
  readonly #repository: SqlMemoryRepository
  readonly #titles = new Map<string, string>()
  readonly #changes = new Map<string, number>()

  constructor(repository: SqlMemoryRepository) {
    this.#repository = repository
  }

  /** Those that changed last come first. */
  async list(
    cursor: string | undefined,
  ): Promise<{ readonly stored: readonly Stored[]; readonly cursor?: string }> {
    const page = await this.#listed(cursor)
    const stored = page.conversations.map(({ key, messages, changedAt }) => {
      const id = typeof key === 'string' ? key : key.conversation
      this.#changes.set(id, changedAt)
      return { id, messages, changedAt }
    })
    return { stored, ...(page.cursor !== undefined && { cursor: page.cursor }) }
  }

  /** How many messages a conversation has. */
  async count(id: string): Promise<number> {
    return (await this.#repository.tail!(keyOf(id), { last: 0 })).skipped
  }

  /** Nothing if it has no messages. */
  async title(id: string): Promise<string | undefined> {
    const known = this.#titles.get(id)
    if (known !== undefined) return known
    const [first] = await this.range(id, { from: 0, count: 1 })
    if (!first) return undefined
    const title = titleOf(first.role === 'user' ? textOfUser(first) : '')
    this.#titles.set(id, title)
    return title
  }

  /** When its last message was added: the list is read until it comes, once. */
  async changedAt(id: string): Promise<number | undefined> {
    let cursor: string | undefined
    do {
      if (this.#changes.has(id)) break
      cursor = (await this.list(cursor)).cursor
    } while (cursor !== undefined)
    return this.#changes.get(id)
  }

  /** The newest messages, oldest first. */
  last(id: string, last: number): Promise<readonly Message[]> {
    return this.#repository.find(keyOf(id), { last })
  }

  range(id: string, range: MessageRange): Promise<readonly Message[]> {
    return this.#repository.range(keyOf(id), range)
  }

  all(id: string): Promise<readonly Message[]> {
    return this.#repository.find(keyOf(id))
  }

  /** What a model is told of a conversation, without so many of its newest messages. */
  remembered(id: string, without: number): Promise<readonly Message[]> {
    const repository = withoutNewest(this.#repository, without)
    return messageWindowMemory({ maxMessages: REMEMBERED_MESSAGES, repository }).get(keyOf(id))
  }

  /** Adds a turn, or puts it in the place of another. */
  async keep(
    id: string,
    messages: readonly Message[],
    replaces?: TurnFacts['replaces'],
  ): Promise<void> {
    if (replaces) {
      const { from, count } = replaces
      const all = await this.all(id)
      const changed = [...all.slice(0, from), ...messages, ...all.slice(from + count)]
      await this.#repository.replace(keyOf(id), changed)
    } else await this.#repository.append(keyOf(id), messages)
    this.#changes.set(id, Date.now())
  }

  /** Takes out a question that nothing was answered to. */
  async forget(id: string, asked: number): Promise<void> {
    if ((await this.count(id)) !== asked + 1) return
    if (asked === 0) return this.delete(id)
    await this.#repository.replace(keyOf(id), (await this.all(id)).slice(0, asked))
  }

  async delete(id: string): Promise<void> {
    await this.#repository.delete(keyOf(id))
    this.#titles.delete(id)
    this.#changes.delete(id)
  }

  async #listed(cursor: string | undefined) {
    try {
      return await this.#repository.list({ tenant: TENANT, cursor })
    } catch (thrown) {
      if (!(thrown instanceof ConfigurationError)) throw thrown
      throw new Refusal(400, 'bad-request', {
        message: 'The cursor is none. Ask for the first page.',
      })
    }
  }
}

/** The same conversations, seen from before their newest messages. */
function withoutNewest(repository: SqlMemoryRepository, without: number): ChatMemoryRepository {
  if (without === 0) return repository
  const older = <Each>(messages: readonly Each[]): readonly Each[] =>
    messages.slice(0, Math.max(0, messages.length - without))
  return {
    ...repository,
    async tail(key, { last }) {
      const tail = await repository.tail!(key, { last: last + without })
      return { ...tail, messages: older(tail.messages) }
    },
  }
}

export function textOfUser({ content }: UserMessage): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

const LONGEST_TITLE = 80

/** The beginning of a question. */
export function titleOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const whole = line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1)}…`
  return whole.toWellFormed()
}
