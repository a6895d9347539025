/**
 * Moves conversations from the files of earlier versions into the database: each addition once, though several
 * processes ask for a conversation at the same time, and though one of them is killed in the middle.
 */
import { existsSync } from 'node:fs'
import { appendFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChatMemoryRepository, ConversationKey, Message } from 'toolwright'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import { EARLIER, earlierName, namesByAge, readEarlierFile } from './earlier-files.ts'
import { withLibsql } from './with-libsql.ts'

export interface TakeOverOptions {
  /** The folder of the files. */
  readonly folder: string
  readonly repository: ChatMemoryRepository
  /** Tells what could not be read. */
  warn(message: string): void
}

/** What a file is called from the moment it is being taken over until its messages are stored. */
const TAKING = '.taking'
const DAMAGED = '.damaged'
const LOCK = 'take-over.lock'

export async function takeOver(conversation: string, options: TakeOverOptions): Promise<void> {
  const file = join(options.folder, earlierName(conversation))
  if (isThere(file)) await orNamed(file, () => takeOverFile(file, conversation, options))
}

/** What cannot be taken over stays where it is, with a warning: the others are not to wait for it. */
export async function takeOverAll(options: TakeOverOptions): Promise<void> {
  const { folder, warn } = options
  const names = (await namesByAge(folder)).map((name) => name.replace(TAKING, ''))
  for (const name of new Set(names.filter((each) => each.endsWith(EARLIER)))) {
    const file = join(folder, name)
    try {
      const id = await orNamed(file, () => idOf(file))
      if (id === undefined) warn(`${file} holds nothing that can be read. Look into it.`)
      else await orNamed(file, () => takeOverFile(file, id, options))
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      warn(error.message)
    }
  }
}

/** Deletes what was kept of lines that could not be read. */
export async function forgetDamaged(key: ConversationKey, folder: string): Promise<void> {
  // The command's own keys are plain texts.
  if (typeof key !== 'string') return
  await rm(join(folder, `${earlierName(key)}${DAMAGED}`), { force: true })
}

const isThere = (file: string): boolean => existsSync(file) || existsSync(`${file}${TAKING}`)

async function idOf(file: string): Promise<string | undefined> {
  for (const path of [file, `${file}${TAKING}`]) {
    const id = existsSync(path) ? (await readEarlierFile(path)).conversation : undefined
    if (id !== undefined) return id
  }
  return undefined
}

async function takeOverFile(
  file: string,
  conversation: string,
  options: TakeOverOptions,
): Promise<void> {
  const { folder, repository } = options
  const taking = `${file}${TAKING}`
  await alone(folder, async () => {
    // A process was killed before or after it stored these messages. None were added since, so comparing them tells.
    if (existsSync(taking)) {
      const { messages } = await readEarlierFile(taking)
      const newest = await repository.find(conversation, { last: messages.length })
      await stored(isSame(newest, messages) ? [] : messages)
    }
    if (existsSync(file)) {
      await rename(file, taking)
      await stored((await readEarlierFile(taking)).messages)
    }
  })

  async function stored(messages: readonly Message[]): Promise<void> {
    if (messages.length > 0) await repository.append(conversation, messages)
    await keepDamaged(file, options)
    await rm(taking)
  }
}

/** One process after another. The system ends the lock with the process, however that ends. */
const alone = (folder: string, work: () => Promise<void>): Promise<void> =>
  withLibsql(join(folder, LOCK), async (lock) => {
    lock.exec('begin exclusive')
    try {
      await work()
    } finally {
      lock.exec('rollback')
    }
  })

async function keepDamaged(file: string, { warn }: TakeOverOptions): Promise<void> {
  const { damaged } = await readEarlierFile(`${file}${TAKING}`)
  if (damaged.length === 0) return
  const place = `${file}${DAMAGED}`
  await appendFile(place, damaged.map((line) => `${line}\n`).join(''), { mode: 0o600 })
  warn(`${file} was damaged: lines that cannot be read (${damaged.length}) are kept in ${place}.`)
}

const isSame = (a: readonly Message[], b: readonly Message[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** Errors of the file system and of the lock name the file. Those of the database say enough. */
async function orNamed<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(
      `A conversation that an earlier version kept in ${file} cannot be taken over: ${messageOfThrown(cause)}. Mend that and try again, or move the file away.`,
      { cause },
    )
  }
}
