/** A durable run that dies at any step goes on in another life, and ends as if nothing had happened. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  chatMemoryAdvisor,
  inMemoryRunStore,
  messageWindowMemory,
  tool,
  type ChatClientOptions,
  type CallRun,
  type ChatMemory,
  type Decision,
  type PendingCall,
  type Prompt,
  type RunResult,
  type RunStore,
} from 'toolwright'
import { scriptedModel, seededRandom, type ScriptedAnswer } from 'toolwright/testing'
import { z } from 'zod'
import { Ledger, Life, type Death, type Moment } from './durable-life.ts'

type Mode = 'call' | 'stream'

/** What outlives a process, besides the records. */
interface World {
  readonly ledger: Ledger
  readonly runStore: RunStore
  readonly memory: ChatMemory
}

interface Story {
  readonly name: string
  readonly answer: (prompt: Prompt) => string | ScriptedAnswer
  readonly client?: (world: World) => ChatClientOptions
  /** Asks for an entity, which only a call gives. */
  readonly isShaped?: true
}

interface Telling {
  readonly story: Story
  readonly mode: Mode
}

const amount = { type: 'object', properties: { amount: { type: 'number' } } } as const

function toolsOf(life: Life) {
  const effect = life.effectOf
  return [
    tool({ name: 'look', effect: 'read', execute: (_input, { callId }) => effect(callId, 'seen') }),
    tool({ name: 'note', effect: 'keyed', execute: (_input, { callId }) => effect(callId, 'noted') }), // prettier-ignore
    tool({ name: 'send', execute: (_input, { callId }) => effect(callId, 'sent') }),
    tool({ name: 'fail', effect: 'idempotent', execute: (_input, { callId }) => effect(callId, 0).then(() => Promise.reject(new Error('No luck.'))) }), // prettier-ignore
    tool({
      name: 'pay',
      input: amount,
      approval: () => true,
      preview: (input) => ({ pays: input }),
      execute: (input, { callId }) => effect(callId, `paid ${JSON.stringify(input)}`),
    }),
    tool({
      name: 'ask',
      async execute(_input, { callId, suspend }) {
        const answer = suspend('Sure?')
        return effect(callId, `they said ${String(answer)}`)
      },
    }),
    tool({ name: 'direct', returnDirect: true, execute: (_input, { callId }) => effect(callId, `direct ${callId}`) }), // prettier-ignore
  ]
}

const SUM = z.object({ sum: z.number() })

const roundsIn = ({ messages }: Prompt): number =>
  messages.filter(({ role }) => role === 'tool').length

const calls = (prefix: string, ...names: readonly string[]): ScriptedAnswer => ({
  toolCalls: names.map((name, index) => ({ name, id: `${prefix}${index}` })),
})

const twoRounds = (prompt: Prompt): string | ScriptedAnswer =>
  [calls('a', 'send', 'look', 'note', 'fail'), calls('b', 'pay', 'send', 'ask', 'pay', 'note')][
    roundsIn(prompt)
  ] ?? 'All done.'

const STORIES: readonly Story[] = [
  {
    name: 'calls side by side, approvals, an edit and a question, with a memory outside the loop',
    answer: twoRounds,
    client: ({ memory }) => ({
      advisors: [chatMemoryAdvisor(memory)],
      limits: { parallel: 2 },
      policy: ({ toolName }) => (toolName === 'look' ? { deny: 'no looking' } : 'allow'),
    }),
  },
  {
    name: 'the same with a memory inside the loop',
    answer: twoRounds,
    client: ({ memory }) => ({ advisors: [chatMemoryAdvisor(memory, { order: 500 })] }),
  },
  {
    name: 'direct results',
    answer: () => calls('d', 'direct', 'direct', 'direct'),
  },
  {
    name: 'a shaped answer that has to be mended',
    isShaped: true,
    answer: (prompt) => {
      if (roundsIn(prompt) === 0) return calls('s', 'send', 'note')
      return prompt.messages.at(-1)!.role === 'tool' ? '{"sum":"many"}' : '{"sum":3}'
    },
  },
]

/** The third payment of a batch is changed; whoever decides knows whether a call had its effect. */
function decisionOn({ kind, callId, toolName }: PendingCall, { effects }: Ledger): Decision {
  if (kind === 'question') return { answer: 'yes' }
  if (kind === 'approval') return callId === 'b3' ? { edit: { amount: 7 } } : 'approve'
  return effects.has(callId) ? { result: RESULTS[toolName]!(callId) } : 'retry'
}

const RESULTS: { readonly [toolName: string]: (callId: string) => string } = {
  send: () => 'sent',
  ask: () => 'they said yes',
  pay: (callId) => `paid ${callId === 'b3' ? '{"amount":7}' : '{}'}`,
  direct: (callId) => `direct ${callId}`,
}

const freshWorld = (): World => ({
  ledger: new Ledger(),
  runStore: inMemoryRunStore(),
  memory: messageWindowMemory(),
})

/** One life of the run, from its start, until it ends or the process dies. */
async function live({ story, mode }: Telling, world: World, life: Life): Promise<RunResult> {
  const client = ChatClient.create(scriptedModel(Array.from({ length: 9 }, () => story.answer)), {
    tools: toolsOf(life),
    durability: life,
    runStore: world.runStore,
    stateSecret: 'a secret of all workers',
    // Only the run's own name is known again after a crash.
    ids: { next: (prefix) => (prefix === 'run' ? 'run_1' : `${prefix}_${Math.random()}`) },
    ...story.client?.(world),
  })
  const resultOf = async (request: ReturnType<typeof client.prompt>): Promise<RunResult> => {
    const run = mode === 'call' ? request.call() : request.stream()
    // A run that waits has no entity yet.
    if (story.isShaped) await (run as CallRun).entity(SUM).catch(() => {})
    const result = await run.result()
    // What stores the end of a run may swallow that it could not.
    await life.pause()
    return result
  }
  let result = await resultOf(client.prompt('Go').conversation('c'))
  while (result.state) {
    const decided = result.pending!.map((call) => [call.callId, decisionOn(call, world.ledger)])
    result = await resultOf(client.resume(result.state, Object.fromEntries(decided)))
  }
  return result
}

/** Comparable: what a run says to the world. */
const told = ({ status, messages, response }: RunResult): unknown => ({
  status,
  // A memory marks what it stored with ids of its own making.
  messages: messages.map((message) => ({ ...message, metadata: undefined })),
  said: response.results.map(({ message, finishReason }) => [message.content, finishReason]),
})

/** The calls that had their effect more than once and must not. */
const doubled = ({ effects }: Ledger, { tools }: Life): readonly string[] =>
  tools.flatMap(({ callId, effect }) =>
    effect === 'once' && (effects.get(callId) ?? 0) > 1 ? callId : [],
  )

const MOMENTS: readonly Moment[] = ['before', 'begun', 'done', 'recorded']

for (const story of STORIES)
  for (const mode of story.isShaped ? (['call'] as const) : (['call', 'stream'] as const))
    describe(`${story.name} (${mode})`, () => {
      const telling = { story, mode }
      const isTool = (key: string): boolean => /\/tool\/[^/]+/.test(key)

      it('ends the same after a death at any step, whatever ends first', async () => {
        const whole = freshWorld()
        const first = new Life(whole.ledger, { random: seededRandom(1) })
        const expected = told(await live(telling, whole, first))
        expect(first.keys.length).toBeGreaterThan(3)
        for (let step = 1; step <= first.keys.length; step++)
          for (const moment of MOMENTS) {
            const isBoundary = moment === 'before' || moment === 'recorded'
            if (!isBoundary && !isTool(first.keys[step - 1]!)) continue
            const death: Death = { step, moment }
            const at = `${moment} ${first.keys[step - 1]}`
            const world = freshWorld()
            const dying = new Life(world.ledger, { death, random: seededRandom(step) })
            await expect(live(telling, world, dying), at).rejects.toThrow()
            const next = new Life(world.ledger, { random: seededRandom(step + 1000) })
            expect(told(await live(telling, world, next)), at).toEqual(expected)
            expect(doubled(world.ledger, next), at).toEqual([])
          }
      })

      it('ends the same after many deaths', async () => {
        const expected = told(await live(telling, freshWorld(), new Life()))
        for (let seed = 1; seed <= 8; seed++) {
          const random = seededRandom(seed)
          const world = freshWorld()
          let life: Life
          let result: RunResult | undefined
          for (let deaths = 0; !result; deaths++) {
            const death: Death = {
              step: 1 + Math.floor(random.next() * 30),
              moment: random.next() < 0.5 ? 'before' : 'recorded',
            }
            life = new Life(world.ledger, { random, ...(deaths < 6 && { death }) })
            result = await live(telling, world, life).catch(() => undefined)
          }
          expect(told(result), `seed ${seed}`).toEqual(expected)
          expect(doubled(world.ledger, life!), `seed ${seed}`).toEqual([])
        }
      })
    })
