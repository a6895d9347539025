/**
 * One process of the two-processes test: starts a run that suspends, or resumes it. What must outlive the
 * process (state, memory, used states, effects) is kept in files of the folder it is given.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  tool,
  type ChatMemoryRepository,
  type Message,
  type Prompt,
  type RunState,
  type RunStore,
} from 'toolwright'
import { scriptedModel, type ScriptedAnswer } from 'toolwright/testing'

export interface ProcessTask {
  readonly folder: string
  readonly act: 'suspend' | 'resume'
  readonly place: 'outside' | 'inside'
  readonly secret?: string
  readonly mode: 'call' | 'stream'
}

const task = JSON.parse(process.argv[2]!) as ProcessTask
const file = (name: string): string => join(task.folder, name)
const read = (name: string): unknown =>
  existsSync(file(name)) ? JSON.parse(readFileSync(file(name), 'utf8')) : undefined
const write = (name: string, value: unknown): void =>
  writeFileSync(file(name), JSON.stringify(value))

const messages = (): readonly Message[] => (read('memory.json') ?? []) as readonly Message[]
const repository: ChatMemoryRepository = {
  conversations: async () => ['c'],
  find: async () => messages(),
  append: async (_key, added) => write('memory.json', [...messages(), ...added]),
  replace: async (_key, all) => write('memory.json', all),
  delete: async () => write('memory.json', []),
}

const runStore: RunStore = {
  async use(stateId) {
    // Making a folder either works or does not: atomic between processes.
    try {
      mkdirSync(file(`used-${stateId}`))
      return true
    } catch {
      return false
    }
  },
}

const answer = ({ messages: sent }: Prompt): string | ScriptedAnswer =>
  sent.at(-1)!.role === 'tool'
    ? 'Both paid.'
    : { toolCalls: ['a', 'b'].map((to) => ({ name: 'pay', arguments: { to }, id: `pay-${to}` })) }

const client = ChatClient.create(scriptedModel([answer, answer, answer]), {
  runStore,
  ...(task.secret !== undefined && { stateSecret: task.secret }),
  advisors: [
    chatMemoryAdvisor(messageWindowMemory({ repository }), {
      order: task.place === 'outside' ? 200 : 500,
    }),
  ],
  tools: [
    tool({
      name: 'pay',
      input: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      approval: true,
      execute({ to }, context) {
        appendFileSync(file('effects.txt'), `${to} ${context.idempotencyKey.split('/')[1]}\n`)
        return `paid ${to}`
      },
    }),
  ],
})

const request =
  task.act === 'suspend'
    ? client.prompt('Pay both').conversation('c')
    : client.resume(read('state.json') as RunState, { 'pay-a': 'approve', 'pay-b': 'approve' })
try {
  const run = task.mode === 'call' ? request.call() : request.stream()
  const result = await run.result()
  if (result.state) write('state.json', result.state)
  write('outcome.json', { status: result.status, roles: result.messages.map((each) => each.role) })
} catch (error) {
  write('outcome.json', { status: 'failed', code: (error as { code?: string }).code })
}
