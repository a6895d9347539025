/**
 * Our two processes of the chain: a client with a conversation, and a server that serves the tools of another server.
 * Either may end at any moment; what waits is in their databases.
 */
import { mcpTools, serveTools, type McpEra, type McpServer } from '@toolwright/mcp'
import { openDatabase, sqlRunStore } from '@toolwright/sql'
import { ChatClient, type Json, type RunResult } from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { answerQuestions, type Answers } from '../processes/asked-process.ts'

export interface ChainTask {
  readonly role: 'client' | 'server'
  /** What it takes tools from, and by which protocol. */
  readonly upstream: McpServer
  readonly era: McpEra
  /** Of a server. */
  readonly port: number
  readonly database: string
  readonly tool: string
}

export interface ChainStep {
  readonly status: RunResult['status']
  readonly questions: readonly unknown[]
  readonly told: readonly unknown[]
}

export type ServerAnswers = { readonly port: (asked: null) => Promise<number> }
export type ClientAnswers = {
  readonly start: (asked: null) => Promise<ChainStep>
  readonly answer: (asked: { readonly answer: Json }) => Promise<ChainStep>
}

const SECRET = 'a secret that both lives of a process know'
const task = JSON.parse(process.argv[2]!) as ChainTask

const stepOf = ({ status, pending = [], messages }: RunResult): ChainStep => ({
  status,
  questions: pending.map(({ question }) => question),
  told: messages.flatMap((message) => (message.role === 'tool' ? message.responses : [])),
})

await answerQuestions(async (): Promise<Answers> => {
  const { role, upstream, era, port, database, tool } = task
  const runStore = sqlRunStore(await openDatabase(`file:${database}`))
  const tools = mcpTools(upstream, {
    trust: 'trusted',
    era,
    name: role === 'client' ? 'ours' : 'theirs',
  })
  if (role === 'server') {
    const options = { name: 'ours', version: '1.0.0', stateSecret: SECRET, runStore }
    const listening = await serveTools(tools, options).listen({ port })
    return { port: () => Promise.resolve(listening.port) } satisfies ServerAnswers
  }
  const clientOf = (steps: readonly ScriptedStep[]): ChatClient =>
    ChatClient.create(scriptedModel(steps), { tools: [tools], stateSecret: SECRET, runStore })
  return {
    start: async () => {
      const toolCalls = [{ name: tool, arguments: { words: 'hi' } }]
      return stepOf(await clientOf([{ toolCalls }]).prompt('Go').call().result())
    },
    answer: async ({ answer }) => {
      const { runs } = await runStore.list({ limit: 1 })
      const { state, pending } = runs[0]!
      const decisions = { [pending[0]!.callId]: { answer } }
      return stepOf(await clientOf(['Done.']).resume(state, decisions).call().result())
    },
  } satisfies ClientAnswers
})
