/** `toolwright conversations`: lists, shows or deletes what `chat --conversation` keeps. */
import { command, type CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { limitOf } from '../command/limit-of.ts'
import type { ConversationsRequest } from '../conversations/run-conversations.ts'

const ACTIONS = ['list', 'show', 'delete'] as const

export const conversations = command({
  name: 'conversations',
  takes: '[list | show <id> | delete <id>]',
  arity: [0, 2],
  summary: 'List, show or delete the conversations that chat keeps',
  options: {
    limit: {
      type: 'string',
      value: 'number',
      help: 'The most to show: of list 20 conversations, of show the newest 50 messages',
    },
    full: { type: 'boolean', help: 'With show: long arguments and results too, on a terminal' },
    json: { type: 'boolean', help: 'Print JSON, for programs' },
  },
  notes: `
They are kept in conversations.db of the folder TOOLWRIGHT_HOME, or of ~/.toolwright. Those that changed last are
listed first. What earlier versions kept in files is taken over when it is listed or asked for.

  toolwright conversations
  toolwright conversations show trip
  toolwright conversations show trip --json --limit 999999 > trip.json
  toolwright conversations delete trip

Exit codes: 0 done; 2 wrong command line, no such conversation, or a database that cannot be used.`,

  async run({ arguments: [action = 'list', id], options }, io: CommandIo) {
    const request = requestOf(action, id)
    const { json = false, full = false } = options
    const limit = limitOf(options.limit)
    const { runConversations } = await import('../conversations/run-conversations.ts')
    return runConversations({ ...request, json, full, limit }, io)
  },
})

function requestOf(
  action: string,
  id: string | undefined,
): Pick<ConversationsRequest, 'action' | 'id'> {
  if (action === 'list') {
    if (id === undefined) return { action, id: '' }
    throw new CommandError(`list takes no id. To see one: toolwright conversations show "${id}".`)
  }
  if (action !== 'show' && action !== 'delete')
    throw new CommandError(
      `conversations has no "${action}".${didYouMean(action, ACTIONS)} There are: ${ACTIONS.join(', ')}.`,
    )
  if (id !== undefined && id.trim() !== '') return { action, id }
  throw new CommandError(
    `${action} needs the id of a conversation; toolwright conversations lists them.`,
  )
}
