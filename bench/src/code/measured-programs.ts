/** What programs cost, measured in a process of plain node; prints one JSON object. */
import { codeMode, quickJsSandbox, type Sandbox } from '@toolwright/code-mode'
import { programOf } from '@toolwright/code-mode/testing'
import {
  ChatClient,
  tool,
  toolCallingManager,
  type ChatResponse,
  type Prompt,
  type RunState,
  type ToolSource,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { longestGapMs } from './attacked-host.ts'
import { pingPongUs } from './ping-pong.ts'
import { tokensOfTask } from './ten-steps.ts'

export interface CodeFigures {
  readonly directUs: number
  readonly pingPongUs: number
  /** How many times as long as a direct call, as the next two. */
  readonly empty: number
  readonly sequential: number
  readonly fanOut: number
  readonly replayShare: number
  readonly coldMs: number
  readonly pooledMs: number
  readonly openProgramMb: number
  readonly stateBytesPerCall: number
  readonly longestGapMs: number
  readonly tokens: { readonly [way: string]: number }
}

const CALLS = 1000
const UNLIMITED = {
  callsPerTool: 'unlimited',
  callsTotal: 'unlimited',
  identicalCalls: 'unlimited',
} as const

const look = tool({
  name: 'look',
  input: { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] },
  execute: ({ at }: { at: number }) => ({ at, name: `row ${at}` }),
})
const approve = tool({ name: 'approve', approval: true, execute: () => 'approved' })

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** The machine is faster at some times than at others, so that only what was measured in the same moment is compared. */
interface Moment {
  readonly directUs: number
  readonly emptyUs: number
  readonly sequentialUs: number
  readonly fanOutUs: number
}

const MOMENTS = 25
/** The first moments warm up. */
const WARM_UP = 8
const EMPTY = 20

/** How many times as long as a direct call, by the median of the moments. */
const timesDirect = (moments: readonly Moment[], what: keyof Moment): number =>
  median(moments.map((moment) => moment[what] / moment.directUs))

const manager = toolCallingManager({ limits: UNLIMITED })
const callOf = (name: string, input: object): ChatResponse => ({
  results: [
    {
      message: {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'call_1', name, arguments: JSON.stringify(input) }],
      },
      finishReason: 'tool-calls',
      metadata: {},
    },
  ],
  usage: {},
  metadata: {},
})

const promptWith = (source: ToolSource): Prompt => ({
  messages: [{ role: 'user', content: 'Go' }],
  options: { tools: [source] },
})

async function executed(prompt: Prompt, name: string, input: object): Promise<string> {
  const { responses } = await manager.executeToolCalls(prompt, callOf(name, input))
  const { content, isError } = responses[0]!
  if (isError) throw new Error(`The call failed: ${JSON.stringify(content)}`)
  return content as string
}

const SEQUENTIAL = `for (let at = 0; at < ${CALLS}; at++) await tools.look({ at })
return 'done'`
const FAN_OUT = `await Promise.all(Array.from({ length: ${CALLS} }, (_, at) => tools.look({ at })))
return 'done'`
const WAITING = `for (let at = 0; at < ${CALLS}; at++) await tools.look({ at })
await tools.approve({})
return 'done'`

async function measure(): Promise<CodeFigures> {
  const limits = { openCalls: CALLS, fuel: 1_000_000 }
  const sandbox = quickJsSandbox({ warm: 1 })
  const source = codeMode({ tools: [look, approve], sandbox, limits })
  const direct = promptWith(look)
  const programs = promptWith(source)
  const program = (code: string) => executed(programs, 'runProgram', { code })

  const coldMs = await timed(() => program('return 1'))
  const moments: Moment[] = []
  for (let each = -WARM_UP; each < MOMENTS; each++) {
    const directMs = await timed(async () => {
      for (let at = 0; at < CALLS; at++) await executed(direct, 'look', { at })
    })
    const empties: number[] = []
    for (let at = 0; at < EMPTY; at++) empties.push(await timed(() => program('return 1')))
    const emptyMs = median(empties)
    const perCall = async (code: string): Promise<number> =>
      ((await timed(() => program(code))) - emptyMs) * (1000 / CALLS)
    const sequentialUs = await perCall(SEQUENTIAL)
    const fanOutUs = await perCall(FAN_OUT)
    const directUs = (directMs * 1000) / CALLS
    if (each >= 0) moments.push({ directUs, emptyUs: emptyMs * 1000, sequentialUs, fanOutUs })
  }
  const { replayShare, stateBytesPerCall } = await measureReplay(source)
  const openProgramMb = await measureOpen(sandbox)
  const gapMs = await longestGapMs(sandbox)
  await sandbox.close()
  return {
    directUs: median(moments.map(({ directUs }) => directUs)),
    pingPongUs: await pingPongUs(),
    empty: timesDirect(moments, 'emptyUs'),
    sequential: timesDirect(moments, 'sequentialUs'),
    fanOut: timesDirect(moments, 'fanOutUs'),
    replayShare,
    coldMs,
    pooledMs: median(moments.map(({ emptyUs }) => emptyUs)) / 1000,
    openProgramMb,
    stateBytesPerCall,
    longestGapMs: gapMs,
    tokens: await tokensOfTask(),
  }
}

/** The same program live up to its approval, and again from its journal. */
async function measureReplay(
  source: ToolSource,
): Promise<Pick<CodeFigures, 'replayShare' | 'stateBytesPerCall'>> {
  const live: number[] = []
  const again: number[] = []
  let size = 0
  for (let tries = 0; tries < 7; tries++) {
    const model = scriptedModel([
      { toolCalls: [{ name: 'runProgram', arguments: { code: WAITING } }] },
      'Done.',
    ])
    const client = ChatClient.create(model, { tools: [source], limits: UNLIMITED })
    let state: RunState | undefined
    live.push(await timed(async () => (state = (await client.prompt('Go').call().result()).state)))
    const { journal } = Object.values(state!.journals!)[0]!
    const { deliveries } = journal as { readonly deliveries: readonly (readonly unknown[])[] }
    const results = deliveries.reduce((sum, [, , json]) => sum + JSON.stringify(json).length, 0)
    size = (JSON.stringify(journal).length - results) / CALLS
    const [waiting] = state!.pending
    again.push(
      await timed(() =>
        client
          .resume(state!, { [waiting!.callId]: 'approve' })
          .call()
          .content(),
      ),
    )
  }
  return { replayShare: median(again) / median(live), stateBytesPerCall: size }
}

const OPEN = 40

async function measureOpen(sandbox: Sandbox): Promise<number> {
  const open = async () => {
    const place = await sandbox.open(programOf('await tools.look({})', { toolNames: ['look'] }))
    await place.start()
    return place
  }
  const first = await open()
  const before = process.memoryUsage().rss
  const places = []
  for (let each = 0; each < OPEN; each++) places.push(await open())
  const grown = process.memoryUsage().rss - before
  for (const place of [first, ...places]) place.dispose()
  return grown / OPEN / 1024 ** 2
}

console.log(JSON.stringify(await measure()))
process.exit(0)
