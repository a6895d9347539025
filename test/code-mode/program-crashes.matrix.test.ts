/**
 * A durable run whose program makes 13 calls, side by side, raced and approved, dies at every step and effect boundary and
 * goes on in another life. A book that nobody but the tools writes to says what really happened: nothing is lost, nothing is
 * doubled, and no key comes with two effects.
 */
import { codeMode, quickJsSandbox } from '@toolwright/code-mode'
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  inMemoryRunStore,
  tool,
  type Decision,
  type Decisions,
  type PendingCall,
  type RunResult,
  type RunStore,
  type ToolCallback,
  type ToolStep,
} from 'toolwright'
import { scriptedModel, seededRandom } from 'toolwright/testing'
import { Ledger, Life, type Death, type Moment } from '../e2e/durable-life.ts'
import { EffectBook, type Effect } from './effect-book.ts'

const CODE = `
  const done = []
  const act = async (name, input) => {
    const { receipt, ...did } = await tools[name](input)
    done.push({ receipt, name, ...did })
  }
  await Promise.all([1, 2, 3].map((n) => tools.look({ n })))
  const both = [4, 5].map((n) => act('note', { n }).then(() => n))
  const first = await Promise.race(both)
  await act('send', { n: 10 + first })
  let next = 20
  const lane = async (by) => {
    while (next < 24) await act('send', { n: next++, by })
  }
  await Promise.all([lane('one'), lane('other'), ...both])
  await Promise.all([act('pay', { n: 30 }), act('pay', { n: 31 }), act('ask', { n: 32 })])
  return done
`
/** All but those that only look. */
const EFFECTS = 10

const sandbox = quickJsSandbox({ workers: 0 })

/** What outlives a process. */
class World {
  readonly ledger = new Ledger()
  readonly book = new EffectBook()
  readonly runStore: RunStore = inMemoryRunStore()
  /** Who has decided stays with it, whatever was found out since. By the id of the state. */
  readonly decided = new Map<string, Decisions>()
}

const INPUT = {
  type: 'object',
  properties: { n: { type: 'integer' }, by: { type: 'string' } },
  required: ['n'],
} as const

type Input = Pick<Effect, 'n' | 'by'>

function toolsOf({ book }: World, life: Life): readonly ToolCallback[] {
  const act = async (write: () => number, input: Input): Promise<Input & { receipt: number }> => {
    await life.pause()
    const receipt = write()
    await life.pause()
    return { receipt, ...input }
  }
  const keyed = (name: string, more: object = {}): ToolCallback =>
    tool({
      name,
      input: INPUT,
      effect: 'keyed',
      ...more,
      execute: (input: Input, { idempotencyKey: key }) =>
        act(() => book.keyed({ name, key, ...input }), input),
    }) as ToolCallback
  return [
    tool({
      name: 'look',
      input: INPUT,
      effect: 'read',
      execute: () => life.pause(),
    }) as ToolCallback,
    keyed('note'),
    keyed('pay', { approval: true }),
    tool({
      name: 'send',
      input: INPUT,
      execute: (input: Input, { idempotencyKey: key }) =>
        act(() => book.once({ name: 'send', key, ...input }), input),
    }) as ToolCallback,
    tool({
      name: 'ask',
      input: INPUT,
      execute: ({ n }: Input, { idempotencyKey: key, suspend }) => {
        const by = suspend('Who?') as string
        return act(() => book.once({ name: 'ask', key, n, by }), { n, by })
      },
    }) as ToolCallback,
  ]
}

/** Outcomes that nobody knows are looked up in the book. Of the others one at a time is decided. */
function decisionsOn(pending: readonly PendingCall[], { book }: World): Decisions {
  const isUnknown = ({ kind }: PendingCall): boolean => kind === 'unknown-outcome'
  const some = [...pending.filter(isUnknown), ...pending.filter((call) => !isUnknown(call)).slice(0, 1)] // prettier-ignore
  return Object.fromEntries(some.map((call) => [call.callId, decisionOn(call, book)]))
}

function decisionOn({ kind, callId, input }: PendingCall, book: EffectBook): Decision {
  if (kind === 'question') return { answer: 'them' }
  if (kind === 'approval')
    return (input as unknown as Input).n === 31 ? { edit: { n: 131 } } : 'approve'
  const receipt = book.receiptOf(`run_1/${callId}`)
  if (receipt === undefined) return 'retry'
  const { n, by } = book.effects[receipt - 1]!
  return { result: { receipt, n, ...(by !== undefined && { by }) } }
}

/** One life of the run, from its start, until it ends or the process dies. */
async function live(world: World, life: Life, mode: 'call' | 'stream'): Promise<RunResult> {
  const { runStore } = world
  const answer = ({ messages }: { readonly messages: readonly { readonly role: string }[] }) =>
    messages.some(({ role }) => role === 'tool')
      ? 'Done.'
      : { toolCalls: [{ id: 'p', name: 'runProgram', arguments: { code: CODE } }] }
  const client = ChatClient.create(scriptedModel([answer, answer, answer]), {
    tools: [codeMode({ tools: toolsOf(world, life), sandbox })],
    durability: life,
    runStore,
    stateSecret: 'a secret of all workers',
    limits: { parallel: 3 },
    ids: { next: (prefix) => (prefix === 'run' ? 'run_1' : `${prefix}_${Math.random()}`) },
  })
  const ended = async (request: ReturnType<typeof client.prompt>): Promise<RunResult> => {
    const result = await request[mode]().result()
    await life.pause()
    return result
  }
  let result = await ended(client.prompt('Go'))
  while (result.state) {
    const { state, pending } = result
    const decisions = world.decided.get(state.id) ?? decisionsOn(pending!, world)
    world.decided.set(state.id, decisions)
    result = await ended(client.resume(state, decisions))
  }
  return result
}

/** What the run says it did, held against the book. */
function faultsOf({ book }: World, { status, messages }: RunResult): readonly string[] {
  const message = messages.findLast(({ role }) => role === 'tool')
  const content = message?.role === 'tool' ? message.responses[0]!.content : undefined
  if (status !== 'done' || typeof content !== 'string' || !content.startsWith('{'))
    return [`it ended as ${status}: ${JSON.stringify(content)}`]
  const { result } = JSON.parse(content) as { readonly result: readonly Effect[] }
  return [...book.faults, ...book.compare(result as never, EFFECTS)]
}

const MODES = ['call', 'stream'] as const
const MOMENTS: readonly Moment[] = ['before', 'begun', 'done', 'recorded']

/** Every step, before and after; of tools also when they were begun, and when they had their effect. */
const boundariesOf = ({ keys }: Life): readonly Death[] =>
  keys.flatMap((key, index) =>
    MOMENTS.filter(
      (moment) => moment === 'before' || moment === 'recorded' || /\/tool\/p\//.test(key),
    ).map((moment) => ({ step: index + 1, moment })),
  )

/** A life that does not record which result came first. */
class Forgetful extends Life {
  override step<T>(key: string, run: () => Promise<T>, tool?: ToolStep): Promise<T> {
    return /\/order\/\d+$/.test(key) ? run() : super.step(key, run, tool)
  }
}

async function faultsAfter(death: Death, mode: 'call' | 'stream', Kind: typeof Life) {
  const world = new World()
  const { step, moment } = death
  const dying = new Kind(world.ledger, { death, random: seededRandom(step) })
  const isDead = await live(world, dying, mode).then(
    () => false,
    () => dying.isOver,
  )
  // Chance may lead another way, which is shorter.
  if (!isDead) return []
  const random = seededRandom(step + 1_000)
  const result = await live(world, new Kind(world.ledger, { random }), mode).catch(
    (error: Error) => error,
  )
  const faults = result instanceof Error ? [result.message] : faultsOf(world, result)
  return faults.map((fault) => `${moment} step ${step}, ${dying.keys[step - 1]}: ${fault}`)
}

describe('a program of 13 calls', () => {
  for (const mode of MODES)
    it(`does everything once, wherever it dies (${mode})`, async () => {
      const world = new World()
      const whole = new Life(world.ledger, { random: seededRandom(1) })
      expect(faultsOf(world, await live(world, whole, mode))).toEqual([])
      expect(whole.keys.filter((key) => /\/order\/\d+$/.test(key)).length).toBeGreaterThan(3)
      const boundaries = boundariesOf(whole)
      expect(boundaries.length).toBeGreaterThan(80)
      for (const death of boundaries) expect(await faultsAfter(death, mode, Life)).toEqual([])
    })

  it('does everything once after many deaths', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seededRandom(seed)
      const world = new World()
      let result: RunResult | undefined
      for (let deaths = 0; !result; deaths++) {
        const death: Death = {
          step: 1 + Math.floor(random.next() * 45),
          moment: MOMENTS[Math.floor(random.next() * 4)]!,
        }
        const life = new Life(world.ledger, { random, ...(deaths < 6 && { death }) })
        result = await live(world, life, 'call').catch((error: unknown) => {
          if (!life.isOver) throw error
          return undefined
        })
      }
      expect(faultsOf(world, result), `seed ${seed}`).toEqual([])
    }
  })

  it('is found out if nobody records which result came first', async () => {
    const world = new World()
    const whole = new Forgetful(world.ledger, { random: seededRandom(1) })
    expect(faultsOf(world, await live(world, whole, 'call'))).toEqual([])
    const faults: string[] = []
    for (const death of boundariesOf(whole))
      faults.push(...(await faultsAfter(death, 'call', Forgetful)))
    expect(faults.length).toBeGreaterThan(0)
  })
})
