/** The commands that can be typed at the prompt instead of a question. */
import { printable } from '../terminal/printable.ts'
import type { ChatSession } from './chat-session.ts'

type Say = (text: string) => void

/** Returns `exit` to end the chat. */
export type ChatCommand = (session: ChatSession, say: Say) => Promise<'exit' | void>

interface Described {
  readonly help: string
  readonly run: ChatCommand
}

const COMMANDS: { readonly [name: string]: Described } = {
  help: { help: 'this list', run: async (_session, say) => say(helpText()) },
  tools: { help: 'the tools the model may call', run: listTools },
  clear: { help: 'forget what was said', run: clear },
  exit: { help: 'end (as Ctrl-D)', run: async () => 'exit' },
}

/**
 * Returns undefined if the line is a question. For an unknown word with a slash it returns a command that
 * says so.
 */
export function chatCommand(line: string): ChatCommand | undefined {
  const name = /^\/([a-z]*)$/i.exec(line)?.[1]?.toLowerCase()
  if (name === undefined) return undefined
  const known = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  return known?.run ?? (async (_session, say) => say(`There is no /${name}.\n${helpText()}`))
}

function helpText(): string {
  const lines = Object.entries(COMMANDS).map(([name, { help }]) => `/${name}  ${help}`)
  return [...lines, 'Ctrl-C aborts a turn, twice quits.'].join('\n')
}

async function listTools(session: ChatSession, say: Say): Promise<void> {
  const tools = await session.listTools()
  if (tools.length === 0) say('There are none. Start with --tools <file> or --mcp <server>.')
  for (const { definition } of tools)
    say(printable(`${definition.name}: ${definition.description}`))
}

async function clear(session: ChatSession, say: Say): Promise<void> {
  await session.clear()
  say('Forgotten.')
}
