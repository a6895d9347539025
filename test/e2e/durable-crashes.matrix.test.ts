/** A durable run that dies at any step goes on in another life, and ends as if nothing had happened. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  chatMemoryAdvisor,
  clientTool,
  inMemoryRunStore,
  messageWindowMemory,
  tool,
  toolRunOf,
  type ChatClientOptions,
  type CallRun,
  type ChatMemory,
  type Decision,
  type Decisions,
  type Json,
  type PendingCall,
  type Prompt,
  type RunResult,
  type RunStore,
  type ToolCallback,
} from 'toolwright'
import { scriptedModel, seededRandom, type ScriptedAnswer } from 'toolwright/testing'
import { z } from 'zod'
import { fanOut } from './composite/program.ts'
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
  /** Chance decides what it says, so that only what it must not do can be compared. */
  readonly isChancy?: true
  /** Asks for an entity, which only a call gives. */
  readonly isShaped?: true
}

interface Telling {
  readonly story: Story
  readonly mode: Mode
}

const amount = { type: 'object', properties: { amount: { type: 'number' } } } as const

function toolsOf(life: Life): readonly ToolCallback[] {
  return [...innerTools(life), expertOf(life), fanOut([...innerTools(life), fanOut(innerTools(life), 'inner')]), racing(life)] // prettier-ignore
}

/** A client as a tool: it has no durability of its own. */
function expertOf(life: Life): ToolCallback {
  const answer = ({ messages }: Prompt): ScriptedAnswer | string =>
    messages.at(-1)!.role === 'tool' ? 'The expert is done.' : calls('e', 'send', 'pay', 'note')
  const inner = ChatClient.create(scriptedModel([answer, answer, answer, answer]), {
    tools: innerTools(life),
    stateSecret: 'a secret of all workers',
  })
  return clientTool(inner, { name: 'expert', description: 'Knows' }) as ToolCallback
}

/** What chance decides is a step: which of two calls ended first, and so what is called next. */
const racing = (life: Life): ToolCallback =>
  tool({
    name: 'racing',
    composite: { tools: innerTools(life) },
    async execute(_input, context) {
      const run = toolRunOf(context)
      const made = ['look', 'note'].map((name, index) => run.call({ index, name, arguments: {} }))
      const first = await run.step('first', () =>
        Promise.race(made.map((each, index) => each.then(() => index))),
      )
      await made[first]
      const sent = await run.call({ index: 2, name: first === 0 ? 'send' : 'fail', arguments: {} })
      return [await Promise.all(made), sent]
    },
  })

function innerTools(life: Life): readonly ToolCallback[] {
  const effect = life.effectOf
  const made = [
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
  return made as readonly ToolCallback[]
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

const PROGRAM: ScriptedAnswer = {
  toolCalls: [
    {
      name: 'program',
      id: 'p',
      arguments: {
        calls: [
          { name: 'send' },
          { name: 'pay', input: { amount: 1 } },
          { name: 'look' },
          {
            name: 'inner',
            input: { calls: [{ name: 'ask' }, { name: 'send' }, { name: 'fail' }] },
          },
          { name: 'pay', input: { amount: 2 } },
          { name: 'note' },
        ],
      },
    },
    { name: 'send', id: 's' },
    { name: 'program', id: 'q', arguments: { calls: [{ name: 'note' }, { name: 'send' }] } },
  ],
}

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
    name: 'tools that call tools, with approvals, a question and a tool inside a tool',
    answer: (prompt) => (roundsIn(prompt) === 0 ? PROGRAM : 'All done.'),
    client: () => ({
      limits: { parallel: 2 },
      policy: ({ toolName }) => (toolName === 'look' ? { deny: 'no looking' } : 'allow'),
    }),
  },
  {
    name: 'a tool that calls what chance decides',
    answer: (prompt) => (roundsIn(prompt) === 0 ? calls('r', 'racing') : 'All done.'),
    isChancy: true,
  },
  {
    name: 'clients as tools, side by side with other calls',
    answer: (prompt) =>
      roundsIn(prompt) === 0
        ? {
            toolCalls: [
              { name: 'expert', id: 'x', arguments: { prompt: 'Go' } },
              { name: 'send', id: 's' },
              { name: 'note', id: 'n' },
            ],
          }
        : 'All done.',
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
function decisionOn(call: PendingCall, ledger: Ledger): Decision {
  const { kind, callId, toolName, question } = call
  const { effects } = ledger
  const { pending } = Object(question) as { readonly pending?: readonly PendingCall[] }
  if (pending) return { answer: decisionsOn(pending, ledger) as unknown as Json }
  if (kind === 'question') return { answer: 'yes' }
  if (kind === 'approval') return callId === 'b3' ? { edit: { amount: 7 } } : 'approve'
  return effects.has(callId) ? { result: RESULTS[toolName]!(callId) } : 'retry'
}

const decisionsOn = (pending: readonly PendingCall[], ledger: Ledger): Decisions =>
  Object.fromEntries(pending.map((call) => [call.callId, decisionOn(call, ledger)]))

const RESULTS: { readonly [toolName: string]: (callId: string) => string } = {
  send: () => 'sent',
  ask: () => 'they said yes',
  pay: (callId) => `paid ${JSON.stringify(PAID[callId] ?? {})}`,
  direct: (callId) => `direct ${callId}`,
}

const PAID: { readonly [callId: string]: object } = {
  b3: { amount: 7 },
  'p/1': { amount: 1 },
  'p/4': { amount: 2 },
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
    result = await resultOf(client.resume(result.state, decisionsOn(result.pending!, world.ledger)))
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
            const after = told(await live(telling, world, next))
            if (!story.isChancy) expect(after, at).toEqual(expected)
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
          if (!story.isChancy) expect(told(result), `seed ${seed}`).toEqual(expected)
          expect(doubled(world.ledger, life!), `seed ${seed}`).toEqual([])
        }
      })
    })
