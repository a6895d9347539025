/**
 * One case: a random program is run through a client, in as many legs as it takes. Its tools take their time, some of its
 * calls wait for decisions, which come bit by bit, its place is lost now and then, the state travels as JSON to another
 * client, and a durable run dies on its way. What must come out is what another engine makes of the program when it is
 * told the same in the same order. The faults that were found, in words.
 */
import { isDeepStrictEqual } from 'node:util'
import { codeMode, quickJsSandbox, type Delivery, type ProgramCall } from '@toolwright/code-mode'
import { ROOMY_LIMITS } from '@toolwright/code-mode/testing'
import {
  ChatClient,
  inMemoryRunStore,
  type ChatEvent,
  type Decision,
  type Decisions,
  type PendingCall,
  type RunResult,
  type RunState,
} from 'toolwright'
import { scriptedModel, seededRandom } from 'toolwright/testing'
import { Ledger, Life } from '../../e2e/durable-life.ts'
import { hashed } from './hashed.ts'
import { expectedOf, fuzzPolicy, fuzzTools, type Effect, type FuzzWorld } from './fuzz-tools.ts'
import { OracleProgram } from './oracle-program.ts'
import { randomProgram, type RandomProgram } from './random-program.ts'
import { toldWrong } from './told-wrong.ts'
import { WatchedSandbox } from './watched-sandbox.ts'

/** What one case did, for the figures. */
export interface ProgramCase {
  readonly faults: readonly string[]
  readonly code: string
  readonly legs: number
  readonly calls: number
  readonly deaths: number
}

/** In the thread of the test: twenty thousand programs start sooner there. */
const inner = quickJsSandbox({ workers: 0 })

const SECRET = 'a secret of all processes'
const MOST_LEGS = 60

export async function programCase(seed: number): Promise<ProgramCase> {
  const random = seededRandom(seed)
  const dice = (below: number): number => Math.floor(random.next() * below)
  const program = randomProgram(dice)
  const story = new Story(seed, program)
  try {
    const result = await story.tell()
    return { ...story.figures, faults: [...story.faults, ...(await story.examine(result))] }
  } catch (thrown) {
    const { stack } = thrown as Error
    return { ...story.figures, faults: [...story.faults, `it ended with ${stack}`] }
  }
}

/** What was left behind by one leg. */
interface Leg {
  readonly pending: readonly PendingCall[]
  readonly told: readonly Delivery[]
}

class Story {
  readonly faults: string[] = []
  readonly #seed: number
  readonly #program: RandomProgram
  /** One for each process: what a dead one still does is nobody's. */
  readonly #sandboxes: WatchedSandbox[] = []
  readonly #runStore = inMemoryRunStore()
  readonly #ledger = new Ledger()
  readonly #effects: Effect[] = []
  readonly #events: ChatEvent[] = []
  readonly #isDurable: boolean
  #life: Life | undefined
  #decided = new Map<string, Decision[]>()
  #legs: Leg[] = []
  #losses = 0
  #deaths = 0
  #first: { readonly state: RunState; readonly decisions: Decisions } | undefined

  constructor(seed: number, program: RandomProgram) {
    this.#seed = seed
    this.#program = program
    this.#isDurable = this.#chance('durable', 3) === 0
  }

  get #sandbox(): WatchedSandbox {
    return this.#sandboxes.at(-1)!
  }

  get figures(): Omit<ProgramCase, 'faults'> {
    const calls = this.#sandbox?.lives.at(-1)?.calls.length ?? 0
    return { code: this.#program.code, legs: this.#legs.length, calls, deaths: this.#deaths }
  }

  #chance(what: string, below: number): number {
    return hashed(this.#seed, what) % below
  }

  /** A few times only: whoever loses every place is told so. */
  #loses(): boolean {
    if (this.#losses >= 3 || this.#chance(`loss ${this.#sandbox.lives.length}`, 6) > 0) return false
    this.#losses += 1
    return true
  }

  /** Until the run has ended. A durable run begins again after each death. */
  async tell(): Promise<RunResult> {
    if (!this.#isDurable) return this.#legsOf()
    const random = seededRandom(this.#seed)
    for (let life = 0; ; life++) {
      const step = 1 + this.#chance(`death ${life}`, 30)
      const moment = (['before', 'begun', 'done', 'recorded'] as const)[this.#chance(`moment ${life}`, 4)]! // prettier-ignore
      this.#life = new Life(this.#ledger, { random, ...(life < 3 && { death: { step, moment } }) })
      try {
        return await this.#legsOf()
      } catch (thrown) {
        if (!this.#life.isOver) throw thrown
        this.#deaths += 1
      }
    }
  }

  async #legsOf(): Promise<RunResult> {
    const losing = this.#chance('losing', 3) === 0
    this.#sandboxes.push(new WatchedSandbox(inner, () => losing && this.#loses()))
    this.#decided = new Map()
    this.#legs = []
    let result = await this.#ended((client) => client.prompt('Go'))
    for (let leg = 1; result.state; leg++) {
      if (leg > MOST_LEGS) throw new Error(`it still waits after ${leg} legs`)
      this.#losses = 0
      this.#legs.push({
        pending: result.pending!,
        told: [...(this.#sandbox.lives.at(-1)?.told ?? [])],
      })
      const decisions = this.#decisionsOn(result.pending!, leg)
      const state = JSON.parse(JSON.stringify(result.state)) as RunState
      this.#first ??= { state, decisions }
      result = await this.#ended((client) => client.resume(state, decisions))
    }
    return result
  }

  /** One leg, by a client of its own. */
  async #ended(ask: (client: ChatClient) => ReturnType<ChatClient['prompt']>): Promise<RunResult> {
    const life = this.#life
    const request = ask(this.#client(life))
    const run = this.#chance(`mode ${this.#legs.length}`, 2) ? request.call() : request.stream()
    for await (const event of run) if (!this.#isDurable) this.#events.push(event)
    const result = await run.result()
    await life?.pause()
    return result
  }

  #client(life: Life | undefined): ChatClient {
    const { code } = this.#program
    const world: FuzzWorld = {
      effects: this.#effects,
      turnsOf: (name) => this.#chance(name, 5),
      async pause(turns) {
        for (let turn = 0; turn < turns; turn++)
          await new Promise((resolve) => setImmediate(resolve))
        if (life?.isOver) throw new Error('The process is dead.')
      },
    }
    const tools = [
      codeMode({
        tools: fuzzTools(world),
        sandbox: this.#sandbox,
        clock: { now: () => 0 },
        random: { next: () => 0.5 },
      }),
    ]
    const answer = ({ messages }: { readonly messages: readonly { readonly role: string }[] }) =>
      messages.some(({ role }) => role === 'tool')
        ? 'Done.'
        : { toolCalls: [{ id: 'p', name: 'runProgram', arguments: { code } }] }
    return ChatClient.create(scriptedModel([answer, answer]), {
      tools,
      policy: fuzzPolicy,
      runStore: this.#runStore,
      stateSecret: SECRET,
      limits: {
        parallel: 1 + this.#chance('parallel', 6),
        callsPerTool: 'unlimited',
        callsTotal: 'unlimited',
        identicalCalls: 'unlimited',
      },
      ids: { next: (prefix) => (prefix === 'run' ? 'run_1' : `${prefix}_${Math.random()}`) },
      ...(life && { durability: life }),
    })
  }

  /** Some of what waits, at least one. */
  #decisionsOn(pending: readonly PendingCall[], leg: number): Decisions {
    const some = pending.filter(({ callId }) => this.#chance(`${callId} in ${leg}`, 3) > 0)
    const chosen = some.length > 0 ? some : pending.slice(0, 1)
    const decisions: { [callId: string]: Decision } = {}
    for (const { callId, kind, input } of chosen) {
      const earlier = this.#decided.get(callId) ?? []
      const decision = this.#decisionOn(`${callId} ${earlier.length}`, kind, input)
      this.#decided.set(callId, [...earlier, decision])
      decisions[callId] = decision
    }
    return decisions
  }

  #decisionOn(name: string, kind: PendingCall['kind'], input: unknown): Decision {
    const choice = this.#chance(`decision ${name}`, 6)
    if (choice === 0) return { deny: `no to ${name}` }
    if (kind === 'question') return { answer: choice }
    if (kind === 'result') return { result: { said: choice } }
    if (kind !== 'approval') throw new Error(`${name} waits for ${kind}`)
    return choice === 1 ? { edit: { n: (input as { n: number }).n + 1_000 } } : 'approve'
  }

  async examine(result: RunResult): Promise<readonly string[]> {
    const lives = this.#sandboxes.flatMap((sandbox) => sandbox.lives)
    const last = this.#sandbox.lives.at(-1)!
    const wrong = lives
      .filter(({ told, calls }) => !isStart(told, last.told) || !isStart(calls, last.calls))
      .map((life) => `a program was told ${shown(life.told)}, and later ${shown(last.told)}`)
    if (result.status !== 'done') wrong.push(`it ended as ${result.status}: ${shown(result)}`)
    return [
      ...wrong,
      ...this.#wrongOutcomes(last.told, last.calls),
      ...this.#wrongEffects(last.calls),
      ...(this.#isDurable ? [] : this.#wrongEvents(last.calls)),
      ...(await this.#wrongCourse(result, last.told)),
      ...(await this.#wrongReuse()),
    ]
  }

  /** What the program was told of a call must follow from the call and what was decided about it. */
  #wrongOutcomes(told: readonly Delivery[], calls: readonly ProgramCall[]): readonly string[] {
    const faults: string[] = []
    for (const call of calls) {
      const expected = expectedOf(call, this.#decided.get(`p/${call.index}`) ?? [])
      const deliveries = told.filter(({ index }) => index === call.index)
      const [delivery] = deliveries
      const isRight =
        deliveries.length === 1 &&
        delivery!.ok === expected?.ok &&
        (delivery!.ok
          ? delivery!.json === JSON.stringify(expected.value)
          : delivery!.error.code === expected.code && delivery!.error.tool === call.name)
      if (!isRight)
        faults.push(`call ${call.index} should be ${shown(expected)} and is ${shown(deliveries)}`)
    }
    return faults
  }

  /** Every effect once; after a death the same again under the same key. */
  #wrongEffects(calls: readonly ProgramCall[]): readonly string[] {
    const distinct = new Map(this.#effects.map((effect) => [shown(effect), effect]))
    const found = this.#isDurable ? [...distinct.values()] : this.#effects
    const expected = calls.flatMap((call) => {
      const callId = `p/${call.index}`
      const { effect } = expectedOf(call, this.#decided.get(callId) ?? []) ?? {}
      return effect ? [`${callId} ${call.name} ${String(effect.n)}`] : []
    })
    const happened = found.map(({ callId, toolName, n }) => `${callId} ${toolName} ${String(n)}`)
    const faults: string[] = []
    if (!isDeepStrictEqual(happened.toSorted(), expected.toSorted()))
      faults.push(`effects should be ${expected.join(', ')} and are ${happened.join(', ')}`)
    if (new Set(found.map(({ key }) => key)).size !== happened.length)
      faults.push(`a key came with two effects: ${shown(found)}`)
    return faults
  }

  #wrongEvents(calls: readonly ProgramCall[]): readonly string[] {
    const ids = calls.map(({ index }) => `p/${index}`)
    return (['tool-call', 'tool-result'] as const).flatMap((type) => {
      const told = this.#events.flatMap((event) =>
        event.type === type && event.toolCall.id.includes('/') ? [event.toolCall.id] : [],
      )
      const isRight = isDeepStrictEqual(told.toSorted(), ids.toSorted())
      return isRight ? [] : [`${type} was told of ${told.join(', ')} instead of ${ids.join(', ')}`]
    })
  }

  /** On the other engine, leg by leg: what is open at the end of a leg is what waits. */
  async #wrongCourse(result: RunResult, told: readonly Delivery[]): Promise<readonly string[]> {
    const { code, isTidy } = this.#program
    const edits = [...this.#decided].flatMap(
      ([callId, decisions]) =>
      decisions.some((decision) => typeof decision === 'object' && 'edit' in decision) ? [callId] : [], // prettier-ignore
    )
    if (!isTidy) return toldWrong({ result, edits, ...(await this.#again(told)) })
    const oracle = new OracleProgram()
    const faults: string[] = []
    await oracle.start(code)
    const ends = new Map(this.#legs.map((leg) => [leg.told.length, leg]))
    for (let at = 0; at <= told.length; at++) {
      const leg = ends.get(at)
      if (leg && !isDeepStrictEqual(leg.pending.map(({ callId }) => callId), [...oracle.open.keys()].map((index) => `p/${index}`))) // prettier-ignore
        faults.push(`after ${at} results ${[...oracle.open.keys()].join()} are open, and there wait ${shown(leg.pending)}`) // prettier-ignore
      if (at < told.length && !(await oracle.deliver(told[at]!)))
        faults.push(`the other engine has not made call ${told[at]!.index}`)
    }
    const made = this.#sandbox.lives.at(-1)!.calls.map(({ name, arguments: text }) => ({ name, arguments: text })) // prettier-ignore
    if (!isDeepStrictEqual(made, oracle.calls))
      faults.push(`it made ${shown(made)}, the other engine ${shown(oracle.calls)}`)
    const { end, console } = oracle
    if (!end)
      return [
        ...faults,
        `the other engine has not ended, and the model reads ${shown(result.messages.at(-2))}`,
      ]
    return [...faults, ...toldWrong({ result, edits, end, console })]
  }

  /** Failures that nobody handles would end the process of the other engine; such programs run once more in one go. */
  async #again(told: readonly Delivery[]) {
    const { code } = this.#program
    const sandbox = new WatchedSandbox(inner, () => false)
    const open = await sandbox.open({
      code,
      clock: 0,
      seed: 2 ** 31,
      toolNames: fuzzTools({} as FuzzWorld).map(({ definition }) => definition.name),
      hasSearch: false,
      limits: ROOMY_LIMITS,
    })
    const turns = [await open.start()]
    for (const delivery of told) turns.push(...(await open.deliver([delivery])))
    open.dispose()
    const end = turns.findLast((turn) => turn.end)!.end!
    return {
      end: end.ok
        ? { value: end.json === undefined ? undefined : (JSON.parse(end.json) as unknown) }
        : { error: end.error as Error },
      console: turns.flatMap((turn) => turn.console.map(({ text }) => text)),
      unhandled: turns.at(-1)!.unhandled ?? [],
    }
  }

  /** A state can be used once. */
  async #wrongReuse(): Promise<readonly string[]> {
    if (!this.#first || this.#isDurable || this.#chance('again', 5) > 0) return []
    const { state, decisions } = this.#first
    const before = this.#effects.length
    const refused = await this.#ended((client) => client.resume(state, decisions)).then(
      () => false,
      () => true,
    )
    const isRight = refused && this.#effects.length === before
    return isRight ? [] : ['a state was used twice']
  }
}

const isStart = (short: readonly unknown[], long: readonly unknown[]): boolean =>
  isDeepStrictEqual(short, long.slice(0, short.length))

const shown = (value: unknown): string => JSON.stringify(value)
