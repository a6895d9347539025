/**
 * The conversations that the command keeps: in one database of SQLite, in the folder that TOOLWRIGHT_HOME names, or in
 * `.toolwright` of the home folder. What goes wrong with it is a `CommandError` that names the file.
 */
import { existsSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ConversationPage, Database, SqlMemoryRepository } from '@toolwright/sql'
import type { ChatMemoryRepository } from 'toolwright'
import { conversationError } from './conversation-error.ts'
import { forgetDamaged, takeOver, takeOverAll, type TakeOverOptions } from './take-over.ts'

export interface ConversationStoreOptions {
  readonly env: { readonly [name: string]: string | undefined }
  /** Tells what of an earlier version could not be read. */
  warn(message: string): void
}

interface Places {
  readonly file: string
  /** Where earlier versions kept a file for each conversation. */
  readonly earlier: string
}

export class ConversationStore {
  /** `take` a conversation before it is used. Deleting one also deletes what was kept of it as damaged. */
  readonly repository: ChatMemoryRepository
  /** For what else is kept beside conversations. It is closed with the store. */
  readonly database: Database
  /** Where all of it is. */
  readonly folder: string
  readonly #list: (limit: number) => Promise<ConversationPage>
  readonly #earlier: TakeOverOptions

  /** The database is made if it is not there. */
  static async open(options: ConversationStoreOptions): Promise<ConversationStore> {
    const places = placesOf(options)
    return orConversationError(places.file, async () => {
      if (!existsSync(places.file)) await makeFile(places.file)
      const { openDatabase, sqlMemoryRepository } = await import('@toolwright/sql')
      const database = await openDatabase(pathToFileURL(places.file).href)
      try {
        const repository = sqlMemoryRepository(database)
        // Makes the tables, or says that they are of another version.
        await repository.find('', { last: 0 })
        return new ConversationStore(database, repository, { ...options, places })
      } catch (error) {
        await database.close()
        throw error
      }
    })
  }

  /** Undefined: no conversation was ever kept. Nothing is made then. */
  static async openExisting(
    options: ConversationStoreOptions,
  ): Promise<ConversationStore | undefined> {
    const { file, earlier } = placesOf(options)
    return existsSync(file) || existsSync(earlier) ? ConversationStore.open(options) : undefined
  }

  private constructor(
    database: Database,
    plain: SqlMemoryRepository,
    { places, warn }: ConversationStoreOptions & { readonly places: Places },
  ) {
    const guarded = <Value>(work: Promise<Value>): Promise<Value> =>
      orConversationError(places.file, () => work)
    this.repository = {
      conversations: () => guarded(plain.conversations()),
      find: (key, range) => guarded(plain.find(key, range)),
      tail: (key, range) => guarded(plain.tail!(key, range)),
      append: (key, messages) => guarded(plain.append(key, messages)),
      replace: (key, messages) => guarded(plain.replace(key, messages)),
      delete: (key) => guarded(plain.delete(key).then(() => forgetDamaged(key, places.earlier))),
    }
    this.database = database
    this.folder = dirname(places.file)
    this.#list = (limit) => guarded(plain.list({ tenant: null, limit }))
    this.#earlier = { folder: places.earlier, repository: this.repository, warn }
  }

  /** Takes the conversation over, if an earlier version kept it. */
  take(conversation: string): Promise<void> {
    return takeOver(conversation, this.#earlier)
  }

  /** Those that changed last come first. Takes over whatever earlier versions kept. */
  async list(limit: number): Promise<ConversationPage> {
    await takeOverAll(this.#earlier)
    return this.#list(limit)
  }

  close(): Promise<void> {
    return this.database.close()
  }
}

function placesOf({ env }: ConversationStoreOptions): Places {
  const home = env['TOOLWRIGHT_HOME'] || join(homedir(), '.toolwright')
  return { file: join(home, 'conversations.db'), earlier: join(home, 'conversations') }
}

/** Only for its owner: SQLite would let everybody read it. */
async function makeFile(file: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  const made = await open(file, 'a', 0o600)
  await made.close()
}

async function orConversationError<Value>(
  file: string,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw conversationError(error, file)
  }
}
