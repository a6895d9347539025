/** Does what `toolwright conversations` was asked for. */
import type { ListedConversation } from '@toolwright/sql'
import { ToolwrightError } from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { printable } from '../terminal/printable.ts'
import { Screen } from '../terminal/screen.ts'
import { ConversationStore } from './conversation-store.ts'
import { describeConversations, describeMessage, idOf, oneLine } from './describe-conversation.ts'

export interface ConversationsRequest {
  readonly action: 'list' | 'show' | 'delete'
  /** Of `show` and `delete`. */
  readonly id: string
  readonly json: boolean
  readonly full: boolean
  readonly limit: number | undefined
}

const LISTED = 20
const SHOWN = 50
/** Among so many of the newest, a similar id is looked for. */
const SIMILAR = 1000

export async function runConversations(
  request: ConversationsRequest,
  io: CommandIo,
): Promise<number> {
  const warn = (message: string): void => say(io, `toolwright: ${message}`)
  const store = await ConversationStore.openExisting({ env: io.env, warn })
  try {
    if (request.action === 'list') await list(store, request, io)
    else if (request.action === 'show') await show(store, request, io)
    else await remove(store, request, io)
    return 0
  } finally {
    await store?.close()
  }
}

type Store = ConversationStore | undefined

async function list(store: Store, { json, limit }: ConversationsRequest, io: CommandIo) {
  const page = (await store?.list(limit ?? LISTED)) ?? { conversations: [], total: 0 }
  const { conversations, total } = page
  io.stdout.write(json ? asJson(conversations.map(withDate)) : describeConversations(conversations))
  const hidden = total - conversations.length
  if (hidden > 0) say(io, `${hidden} more; --limit ${total} shows them.`)
  else if (total === 0 && !json)
    say(io, 'There are none. toolwright chat --conversation <id> begins one.')
}

const withDate = ({ key, messages, changedAt }: ListedConversation) => ({
  conversation: idOf(key),
  messages,
  // Null for what is no time.
  changedAt: new Date(changedAt).toJSON(),
})

async function show(store: Store, request: ConversationsRequest, io: CommandIo) {
  const { id, json, full, limit = SHOWN } = request
  const found = await find(store, id, limit)
  const { messages, skipped } = found
  if (json) writeJson(id, found, io)
  else {
    const screen = new Screen({ output: io.stdout, env: io.env })
    // In a pipe everything is as it is.
    const isCut = io.stdout.isTTY && !full
    for (const [index, message] of messages.entries()) {
      if (index > 0) screen.block('')
      for (const { text, ...how } of describeMessage(message, { screen, isCut }))
        screen.block(io.stdout.isTTY ? printable(text) : text, how)
    }
  }
  if (skipped > 0)
    say(io, `${counted(skipped)} before these; --limit ${skipped + messages.length} shows all.`)
}

/** In pieces: all of it as one text may be longer than a text can be. */
function writeJson(id: string, { messages, skipped }: Found, { stdout }: CommandIo): void {
  stdout.write(`{ "conversation": ${JSON.stringify(id)}, "skipped": ${skipped}, "messages": [`)
  for (const [index, message] of messages.entries())
    stdout.write(`${index > 0 ? ',' : ''}\n  ${JSON.stringify(message)}`)
  stdout.write('\n] }\n')
}

async function remove(store: Store, { id, json }: ConversationsRequest, io: CommandIo) {
  const messages = await find(store, id, 0).then(({ skipped }) => skipped, unlessDamaged)
  await store!.repository.delete(id)
  const what = messages === undefined ? 'which was damaged' : counted(messages)
  io.stdout.write(
    json ? asJson({ conversation: id, messages }) : `Deleted ${oneLine(id)}, ${what}.\n`,
  )
}

/** What cannot be read can still be deleted. */
function unlessDamaged(error: unknown): undefined {
  const { cause } = Object(error) as { readonly cause?: unknown }
  if (!ToolwrightError.is(cause) || cause.code !== 'database-corrupt') throw error
}

type Found = Awaited<ReturnType<typeof find>>

async function find(store: Store, id: string, last: number) {
  await store?.take(id)
  const found = await store?.repository.tail!(id, { last })
  if (found && found.skipped + found.messages.length > 0) return found
  const { conversations = [] } = (await store?.list(SIMILAR)) ?? {}
  const ids = conversations.map(({ key }) => idOf(key))
  throw new CommandError(
    `There is no conversation "${id}".${didYouMean(id, ids)} toolwright conversations lists those there are.`,
  )
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const counted = (messages: number): string =>
  messages === 1 ? '1 message' : `${messages.toLocaleString('en-US')} messages`

const say = ({ stderr }: CommandIo, text: string): void =>
  void stderr.write(`${stderr.isTTY ? printable(text) : text}\n`)
