/** Where the messages of a cassette come from: the conversations that `chat` keeps, a file of messages, or a trace file. */
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Message } from 'toolwright'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import type { CommandIo } from '../command/command.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { messagesOfTrace, type NamedFile } from './trace-messages.ts'

export interface KeptConversation {
  /** Names the test and its files. */
  readonly name: string
  readonly messages: readonly Message[]
}

export type ConversationSource = { readonly conversation: string } | NamedFile

export function keptConversation(
  source: ConversationSource,
  io: CommandIo,
): Promise<KeptConversation> {
  return 'file' in source ? fromFile(source, io.cwd) : fromStore(source.conversation, io)
}

/** Enough to find a similar id. */
const SIMILAR = 1000

async function fromStore(id: string, { env, stderr }: CommandIo): Promise<KeptConversation> {
  const { ConversationStore } = await import('../conversations/conversation-store.ts')
  const warn = (message: string): void => void stderr.write(`toolwright: ${message}\n`)
  const store = await ConversationStore.openExisting({ env, warn })
  try {
    await store?.take(id)
    const messages = (await store?.repository.find(id)) ?? []
    if (messages.length > 0) return { name: id, messages }
    const { conversations = [] } = (await store?.list(SIMILAR)) ?? {}
    const ids = conversations.flatMap(({ key }) => (typeof key === 'string' ? [key] : []))
    throw new CommandError(
      `There is no conversation "${id}".${didYouMean(id, ids)} toolwright conversations lists those there are.`,
    )
  } finally {
    await store?.close()
  }
}

/** Each knows one kind of file: undefined if it is none of that kind. */
type ReadMessages = (text: string, named: NamedFile) => readonly Message[] | undefined

const READERS: readonly ReadMessages[] = [messagesOfJson, messagesOfTrace]

async function fromFile(named: NamedFile, cwd: string): Promise<KeptConversation> {
  const { file } = named
  const text = await readFile(resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw new CommandError(
      `${file} cannot be read: ${messageOfThrown(error)}. Check its name; for a conversation that chat keeps, write --conversation <id>.`,
    )
  })
  for (const read of READERS) {
    const messages = read(text, named)
    if (!messages) continue
    messages.forEach((each, at) => refuseOther(each, `${file}: $.messages[${at}]`))
    return { name: basename(file).replace(/\..*$/, ''), messages }
  }
  throw new CommandError(
    `${file} holds no messages. Give what toolwright conversations show <id> --json prints, a list of messages in JSON, or a trace file with content.`,
  )
}

/** A list of messages, or an object that has one, as `conversations show --json` prints it. */
function messagesOfJson(text: string, { file, run }: NamedFile): readonly Message[] | undefined {
  const value = parsed(text)
  const { messages, skipped = 0 } = Object(value) as { messages?: unknown; skipped?: unknown }
  const list: unknown = Array.isArray(value) ? value : messages
  if (!Array.isArray(list)) return undefined
  if (run !== undefined)
    throw new CommandError(`--run is for trace files, and ${file} is none. Leave it out.`)
  if (skipped !== 0)
    throw new CommandError(
      `${file} lacks the first ${String(skipped)} messages. Write it with --limit ${Number(skipped) + list.length}.`,
    )
  return list as readonly Message[]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isContent = (x: unknown): boolean =>
  typeof x === 'string' ||
  (Array.isArray(x) && x.every((part) => typeof Object(part).type === 'string'))

function refuseOther(x: unknown, place: string): void {
  const { role, content, responses } = Object(x) as { readonly [field: string]: unknown }
  const isMessage =
    role === 'tool'
      ? Array.isArray(responses) &&
        responses.every(
          (each) => isContent(Object(each).content) && typeof Object(each).id === 'string',
        )
      : ['system', 'user', 'assistant'].includes(role as string) && isContent(content)
  if (!isMessage)
    throw new CommandError(
      `${place} is no message. A message has a role (system, user, assistant or tool) and content, of a tool responses.`,
    )
}
