/**
 * One case: a random conversation in a random memory, and then a question through a client, outside or inside the
 * loop, whole or streamed, with or without tools. The faults that were found, in words.
 */
import {
  ChatClient,
  chatMemoryAdvisor,
  inMemoryRepository,
  messageWindowMemory,
  summarisingMemory,
  tokenWindowMemory,
  tool,
  type ChatMemory,
  type ChatMemoryRepository,
  type ChatModel,
  type ChatRequest,
  type ChatResponse,
  type Message,
  type Prompt,
  type RunResult,
} from 'toolwright'
import { seededRandom } from '../../packages/toolwright/src/testing/seeded-random.ts'
import { memoryFaults, promptFaults } from './prompt-rules.ts'
import { randomHistory, type Dice } from './random-history.ts'

function diceOf(seed: number): Dice {
  const { next } = seededRandom(seed)
  return (below) => Math.floor(next() * below)
}

const answer = (content: Message & { readonly role: 'assistant' }): ChatResponse => ({
  results: [{ message: content, finishReason: 'stop', metadata: {} }],
  usage: {},
  metadata: {},
})

/** Nothing but what is needed: a million of them are made. */
const modelOf = (reply: (prompt: Prompt) => ChatResponse): ChatModel => ({
  provider: 'fuzz',
  model: 'fuzz',
  capabilities: {},
  options: {},
  call: async (prompt) => reply(prompt),
  async *stream(prompt) {
    yield { type: 'response', response: reply(prompt) }
  },
})

const SUMMARY = 'What was said.'

function randomMemory(dice: Dice, full: Required<ChatMemoryRepository>): ChatMemory {
  const { tail: _tail, ...plain } = full
  const repository = dice(4) === 0 ? plain : full
  const kind = dice(3)
  if (kind === 0) return messageWindowMemory({ maxMessages: 1 + dice(12), repository })
  if (kind === 1) return tokenWindowMemory({ maxTokens: 1 + dice(200), repository })
  const model = modelOf(() => {
    if (dice(5) === 0) throw new Error('down')
    return answer({ role: 'assistant', content: dice(8) === 0 ? '' : SUMMARY })
  })
  const keepTurns = 1 + dice(4)
  const foldTurns = 1 + dice(3)
  return summarisingMemory({ model, keepTurns, foldTurns, repository, onSummary: () => {} })
}

const isSummary = (message: Message): boolean =>
  message.role === 'user' &&
  typeof message.content === 'string' &&
  message.content.endsWith(SUMMARY)

const look = tool({ name: 'look', execute: () => 'found' })
const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })

/** A random memory with a random conversation in it, `c`. */
export async function rememberedConversation(seed: number): Promise<ChatMemory> {
  const dice = diceOf(seed)
  const memory = randomMemory(dice, inMemoryRepository())
  for (const messages of randomHistory(dice)) await memory.add('c', messages)
  return memory
}

export async function memoryCase(seed: number): Promise<readonly string[]> {
  const dice = diceOf(seed)
  const repository = inMemoryRepository()
  const memory = randomMemory(dice, repository)
  const faultsNow = async (): Promise<readonly string[]> => {
    const history = (await repository.find('c')).filter((message) => !isSummary(message))
    return memoryFaults(await memory.get('c'), history, isSummary)
  }
  for (const messages of randomHistory(dice)) await memory.add('c', messages)
  const faults = [...(await faultsNow())]
  const prompts: Prompt[] = []
  const client = clientOf(dice, memory, prompts)
  await askAround(dice, client)
  for (const { messages } of prompts) {
    faults.push(...promptFaults(messages))
    if (!messages.some((message) => message.role === 'user' && message.content === QUESTION))
      faults.push('The question is missing.')
  }
  return [...faults, ...(await faultsNow())]
}

const QUESTION = 'And now?'

function clientOf(dice: Dice, memory: ChatMemory, prompts: Prompt[]): ChatClient {
  let rounds = dice(5)
  const model = modelOf((prompt) => {
    prompts.push(prompt)
    if (rounds-- <= 0) return answer({ role: 'assistant', content: 'Done.' })
    // Ids that others have used, too.
    const calls = Array.from({ length: 1 + dice(2) }, (_, index) => ({
      type: 'tool-call' as const,
      id: `call_0_${index}`,
      name: dice(25) === 0 ? 'pay' : 'look',
      arguments: '{}',
    }))
    return answer({ role: 'assistant', content: calls })
  })
  const isInside = dice(2) === 0
  const storing = isInside ? { order: 500 } : { storeToolExchange: dice(2) === 0 }
  return ChatClient.create(model, {
    advisors: [chatMemoryAdvisor(memory, storing)],
    tools: [look, pay],
    ...(dice(4) === 0 && { system: 'You are asked.' }),
  })
}

/** One to three questions, some at the same time; what waits is approved after the next question, or never. */
async function askAround(dice: Dice, client: ChatClient): Promise<void> {
  const run = (request: ChatRequest): Promise<RunResult> =>
    (dice(2) === 0 ? request.call() : request.stream()).result()
  const ask = (): Promise<RunResult> => run(client.prompt(QUESTION).conversation('c'))
  const results = dice(3) === 0 ? await Promise.all([ask(), ask()]) : [await ask()]
  const waiting = results.filter(({ status }) => status === 'suspended')
  if (waiting.length === 0) return
  if (dice(2) === 0) waiting.push(await ask())
  for (const { state, pending = [] } of waiting)
    if (state && dice(4) > 0)
      await run(
        client.resume(state, Object.fromEntries(pending.map(({ callId }) => [callId, 'approve']))),
      )
}
