/**
 * Runs the `chat` command after its command line is read: finds the model and the tools, and picks the
 * mode.
 */
import { text as textOfStream } from 'node:stream/consumers'
import { inMemoryRepository, ToolwrightError, type ChatModel } from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import type {
  ConversationStore,
  ConversationStoreOptions,
} from '../conversations/conversation-store.ts'
import type { WantedServers } from '../mcp/mcp-options.ts'
import { openServers } from '../mcp/open-servers.ts'
import { chooseModel } from '../models/choose-model.ts'
import { printsAside } from '../terminal/prints-aside.ts'
import { chatScreens } from './chat-screens.ts'
import { ChatSession } from './chat-session.ts'
import { ChatTools } from './chat-tools.ts'
import type { ChatLine } from './json-chat.ts'
import { offerDemo } from './offer-demo.ts'
import { programTools } from './program-tools.ts'
import { turnError } from './turn-error.ts'
import { withTools } from './with-tools.ts'

export interface ChatCommandLine {
  /** `-`: stdin. */
  readonly prompt: string | undefined
  readonly tools: readonly string[]
  readonly servers: WantedServers
  readonly model: string | undefined
  readonly baseUrl: string | undefined
  readonly system: string | undefined
  readonly conversation: string | undefined
  /** The tools are for programs that the model writes. */
  readonly codeMode: boolean
  readonly json: boolean
  readonly yes: boolean
}

/** For programs an error is a line too, whatever it is about. */
export async function runChat(request: ChatCommandLine, io: CommandIo): Promise<number> {
  try {
    return await chatted(request, io)
  } catch (error) {
    if (request.json && error instanceof CommandError) io.stdout.write(errorLine(error))
    throw error
  }
}

function errorLine(error: CommandError): string {
  const { message, cause, exitCode } = error
  const usual = exitCode === 2 ? 'invalid-command' : 'failed'
  const code = ToolwrightError.is(cause) ? cause.code : usual
  return `${JSON.stringify({ type: 'error', code, message } satisfies ChatLine)}\n`
}

async function chatted(request: ChatCommandLine, io: CommandIo): Promise<number> {
  if (request.conversation?.trim() === '')
    throw new CommandError('--conversation is empty. Give it an id, as in --conversation work.')
  const mode = modeOf(request, io)
  const offered = [...request.tools, ...request.servers.mcp]
  if (request.codeMode && offered.length === 0)
    throw new CommandError('--code-mode is for tools. Name some with --tools file or --mcp server.')
  // A tools file may print while it is loaded; stdout is for the answer only.
  const tools = await printsAside(io, () => ChatTools.load({ files: request.tools, cwd: io.cwd }))
  const chosen = (await modelFor({ ...request, tools: offered }, io)) ?? (await offerDemo(io))
  const warn = (message: string): void => void io.stderr.write(`toolwright: ${message}\n`)
  const model = offered.length > 0 ? withTools(chosen, warn) : chosen
  const store = await storeFor(request, { env: io.env, warn })
  try {
    tools.servers = await openServers(request.servers, { io, own: () => tools.own })
    if (request.codeMode) tools.behind = await programTools()
    const repository = store?.repository ?? inMemoryRepository()
    return await mode(new ChatSession({ ...request, model, tools, repository }))
  } finally {
    await tools.servers?.close()
    await store?.close()
  }
}

/** The database is loaded only where a conversation is kept: that takes longer than everything else at the start. */
async function storeFor(
  { conversation }: ChatCommandLine,
  options: ConversationStoreOptions,
): Promise<ConversationStore | undefined> {
  if (conversation === undefined) return undefined
  const { ConversationStore } = await import('../conversations/conversation-store.ts')
  const store = await ConversationStore.open(options)
  await store.take(conversation)
  return store
}

/** Errors of an adapter about its settings, e.g. an invalid base URL, are for the user to correct. */
async function modelFor(wanted: ChatCommandLine, io: CommandIo): Promise<ChatModel | undefined> {
  try {
    return await chooseModel(wanted, io.env)
  } catch (error) {
    throw error instanceof CommandError ? error : turnError(error)
  }
}

type Mode = (session: ChatSession) => Promise<number>

function modeOf({ prompt, json, yes }: ChatCommandLine, io: CommandIo): Mode {
  const piped = prompt === '-' || (prompt === undefined && !io.stdin.isTTY)
  if (json && !piped && prompt === undefined)
    throw new CommandError(
      '--json is for programs, and stdin is a terminal. Give a prompt, or lines of JSON on stdin.',
    )
  if (json) return jsonMode(piped ? undefined : checked(prompt!), yes, io)
  if (!piped && prompt === undefined) return interactiveMode(yes, io)
  return async (session) => {
    const { oneShot } = await import('./one-shot.ts')
    const question = piped ? checked(await textOfStream(io.stdin)) : checked(prompt!)
    return oneShot(session, { prompt: question, yes }, io)
  }
}

const jsonMode =
  (prompt: string | undefined, yes: boolean, io: CommandIo): Mode =>
  async (session) => {
    const { jsonChat } = await import('./json-chat.ts')
    return jsonChat(session, { prompt, yes }, io)
  }

function interactiveMode(yes: boolean, io: CommandIo): Mode {
  const { answer, typing } = chatScreens(io)
  if (!typing)
    throw new CommandError('There is no terminal to write to. Give a prompt: toolwright chat "…".')
  return async (session) => {
    const { InteractiveChat } = await import('./interactive-chat.ts')
    // The user at the terminal sees everything, even if stderr is redirected.
    const screens = { answer, notes: typing.screen }
    return new InteractiveChat({ session, screens, typing, io, yes }).run()
  }
}

function checked(prompt: string): string {
  if (prompt.trim() !== '') return prompt.trimEnd()
  throw new CommandError('The prompt is empty. Write what you want to ask: toolwright chat "…".')
}
