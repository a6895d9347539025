/**
 * Several runs in one conversation, with a memory inside the loop: what one of them is told is its own, whatever
 * the others store in between, and however alike the ids are that the provider gives.
 */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  tool,
  toolCallsOf,
  type ChatMemory,
  type ChatModel,
  type Message,
  type Prompt,
  type ToolCall,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { seededRandom } from '../../packages/toolwright/src/testing/seeded-random.ts'

const INSIDE = 500
const NO_RESULT = 'No result was recorded'

/** Chances of one world: whoever waits, waits a random number of turns of the event loop. */
class World {
  readonly #random: { next(): number }
  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }
  int(most: number): number {
    return Math.floor(this.#random.next() * (most + 1))
  }
  async pause(): Promise<void> {
    for (let turns = this.int(12); turns > 0; turns--) await null
    if (this.int(3) === 0) await new Promise((wake) => setImmediate(wake))
  }
}

const slow = (memory: ChatMemory, world: World): ChatMemory => ({
  async add(key, messages) {
    await world.pause()
    await memory.add(key, messages)
    await world.pause()
  },
  async get(key) {
    await world.pause()
    // As a database gives them back: other objects, the same JSON.
    return JSON.parse(JSON.stringify(await memory.get(key))) as readonly Message[]
  },
  clear: (key) => memory.clear(key),
})

interface Asked {
  readonly run: number
  readonly prompt: Prompt
  /** What the run has called so far: the arguments, which tell the call from every other. */
  readonly calledBefore: readonly string[]
}

/** A provider that numbers the calls of each answer from 1, as several servers do. */
function numbering(run: number, world: World, asked: Asked[]): ChatModel {
  const rounds = 1 + world.int(3)
  const called: string[] = []
  let round = 0
  const answer = async ({ messages, options }: Prompt) => {
    asked.push({ run, prompt: { messages, options }, calledBefore: [...called] })
    await world.pause()
    round += 1
    const calls = Array.from({ length: round > rounds ? 0 : 1 + world.int(2) }, (_, n) => {
      const text = JSON.stringify({ said: `run ${run} round ${round} call ${n}` })
      called.push(text)
      return { type: 'tool-call' as const, id: `call_${n + 1}`, name: 'echo', arguments: text }
    })
    return calls.length === 0 ? `answer of ${run}` : calls
  }
  const scripted = scriptedModel([])
  return {
    ...scripted,
    async call(prompt) {
      const content = await answer(prompt)
      const finishReason = typeof content === 'string' ? 'stop' : 'tool-calls'
      const message = { role: 'assistant' as const, content }
      return { results: [{ message, finishReason, metadata: {} }], usage: {}, metadata: {} }
    },
  }
}

const echo = (world: World) =>
  tool({
    name: 'echo',
    input: { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] },
    async execute({ said }) {
      await world.pause()
      return `result of ${String(said)}`
    },
  })

interface Pair {
  readonly call: ToolCall
  readonly told: unknown
}

/** Every call of a prompt with what it was told; throws where the history is not valid. */
function pairsIn({ messages }: Prompt): readonly Pair[] {
  const ids = new Set<string>()
  return messages.flatMap((message, at) => {
    const calls = toolCallsOf(message)
    if (calls.length === 0) return []
    const next = messages[at + 1]
    if (next?.role !== 'tool') throw new Error('calls without responses')
    expect(next.responses.map(({ id }) => id)).toEqual(calls.map(({ id }) => id))
    for (const { id } of calls) {
      expect(ids.has(id), `the id ${id} comes twice`).toBe(false)
      ids.add(id)
    }
    return calls.map((call, index) => ({ call, told: next.responses[index]!.content }))
  })
}

const saidIn = ({ arguments: text }: ToolCall): string =>
  (JSON.parse(text) as { said: string }).said
const isOf = (run: number, call: ToolCall): boolean => saidIn(call).startsWith(`run ${run} `)

async function playWorld(seed: number, maxMessages: number) {
  const world = new World(seed)
  const stored = messageWindowMemory({ maxMessages })
  const asked: Asked[] = []
  const clients = Array.from({ length: 2 + world.int(2) }, (_, run) =>
    ChatClient.create(numbering(run, world, asked), {
      tools: [echo(world)],
      advisors: [chatMemoryAdvisor(slow(stored, world), { order: INSIDE })],
    }),
  )
  await Promise.all(
    clients.map(async (client, run) => {
      await world.pause()
      await client.prompt(`question ${run}`).conversation('c').call().content()
    }),
  )
  return { asked, stored, runs: clients.length }
}

describe('runs that share a conversation, in 100 random worlds', () => {
  const seeds = Array.from({ length: 25 }, (_, n) => n + 1)
  for (const [window, maxMessages] of [
    ['a large window', 1000],
    ['a window of 20', 20],
    ['a window that is smaller than one turn', 3],
  ] as const)
    it(`with ${window}: each is told the results of its own calls, and no call those of another`, async () => {
      let foreign = 0
      for (const seed of seeds) {
        const { asked } = await playWorld(seed, maxMessages)
        for (const { run, prompt, calledBefore } of asked) {
          const pairs = pairsIn(prompt)
          const own = pairs.filter(({ call }) => isOf(run, call))
          expect(own.map(({ call }) => call.arguments)).toEqual(calledBefore)
          for (const { call, told } of own) expect(told).toBe(`result of ${saidIn(call)}`)
          for (const { call, told } of pairs) {
            if (told === `result of ${saidIn(call)}`) continue
            expect(told).toMatch(/another request .* not there yet/)
            foreign += 1
          }
          const texts = prompt.messages.flatMap((each) =>
            each.role === 'user' ? [each.content] : [],
          )
          expect(texts).toContain(`question ${run}`)
        }
      }
      // The worlds are wild enough: calls of others were seen before they had ended.
      if (maxMessages === 1000) expect(foreign).toBeGreaterThan(0)
    })

  it('a later run is told all results, each with its own call', async () => {
    for (const seed of seeds) {
      const { asked, stored } = await playWorld(seed, 1000)
      const later = scriptedModel(['Done.'])
      await ChatClient.create(later, { advisors: [chatMemoryAdvisor(stored, { order: INSIDE })] })
        .prompt('And?')
        .conversation('c')
        .call()
        .content()
      const pairs = pairsIn(later.prompts[0]!)
      const called = new Set(asked.flatMap(({ calledBefore }) => calledBefore))
      expect(new Set(pairs.map(({ call }) => call.arguments))).toEqual(called)
      for (const { call, told } of pairs) expect(told).toBe(`result of ${saidIn(call)}`)
      expect(JSON.stringify(later.prompts)).not.toContain(NO_RESULT)
    }
  })
})

describe.each(['call', 'stream'] as const)(
  'a run that goes on after another has answered, in %s',
  (mode) => {
    it('reads its own turn last, though both asked the same', async () => {
      const memory = messageWindowMemory()
      const other = ChatClient.create(scriptedModel(['The answer of the other.']), {
        advisors: [chatMemoryAdvisor(memory, { order: INSIDE })],
      })
      const ask = tool({
        name: 'ask',
        execute: async () => other.prompt('Why?').conversation('c').call().content(),
      })
      const model = scriptedModel([{ toolCalls: [{ name: 'ask' }] }, 'Because.'])
      const client = ChatClient.create(model, {
        advisors: [chatMemoryAdvisor(memory, { order: INSIDE })],
        tools: [ask],
      })
      await client.prompt('Why?').conversation('c')[mode]().result()
      const last = model.prompts[1]!.messages
      expect(last.map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'user',
        'assistant',
        'tool',
      ])
      expect(last[1]).toMatchObject({ content: 'The answer of the other.' })
    })
  },
)
