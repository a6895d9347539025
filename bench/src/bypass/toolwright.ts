/** This library: `codeMode` with nothing set but what the case is about. */
import { codeMode, type CodeModeOptions } from '@toolwright/code-mode'
import {
  ChatClient,
  tool,
  type ChatClientOptions,
  type ChatEvent,
  type Decision,
  type RunResult,
  type ToolCallback,
  type ToolPolicy,
} from 'toolwright'
import { scriptedModel, type ScriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import {
  AMOUNT,
  ENDLESS,
  LIMIT,
  looks,
  pays,
  programOf,
  PROGRAM_MS,
  REASONS,
  SECRET,
  SIX_LOOKS,
  TOOL_MS,
  type Call,
  type Told,
  type Way,
} from './cases.ts'
import { longestGap, observeCase } from './observe-case.ts'

interface Played {
  readonly client: ChatClient
  readonly model: ScriptedModel
  readonly result: RunResult
  readonly events: readonly ChatEvent[]
}

interface Play {
  readonly way: Way
  readonly tools: readonly ToolCallback[]
  /** The calls of each program; directly, one after the other. */
  readonly programs: readonly (readonly Call[])[]
  readonly order?: 'at once'
  readonly client?: ChatClientOptions
  readonly codeMode?: Partial<CodeModeOptions>
}

const program = (code: string) => ({ toolCalls: [{ name: 'runProgram', arguments: { code } }] })

async function play({
  way,
  tools,
  programs,
  order,
  client: options,
  ...rest
}: Play): Promise<Played> {
  const steps =
    way === 'direct'
      ? programs
          .flat()
          .map(({ name, input }) => ({ toolCalls: [{ name, arguments: { ...input } }] }))
      : programs.map((calls) => program(programOf(calls, (name) => `tools.${name}`, order)))
  const offered = way === 'direct' ? tools : [codeMode({ tools, ...rest.codeMode })]
  return await ask(steps, { tools: offered, ...options })
}

async function ask(
  steps: Parameters<typeof scriptedModel>[0],
  options: ChatClientOptions,
): Promise<Played> {
  const model = scriptedModel([...steps, 'Done.'])
  const client = ChatClient.create(model, options)
  const run = client.prompt('Go').stream()
  const events: ChatEvent[] = []
  for await (const event of run) events.push(event)
  return { client, model, result: await run.result(), events }
}

/** As the model was told, or its program. */
function toldOf(way: Way, { model }: Pick<Played, 'model'>): Told & { readonly ended?: string } {
  const responses = model.prompts.at(-1)!.messages.flatMap((message) => (message.role === 'tool' ? message.responses : [])) // prettier-ignore
  const { content, isError } = responses[0]!
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  if (way === 'direct') return isError ? { error: text } : { ok: text }
  if (isError) return { ended: text }
  return (JSON.parse(text) as { readonly result: readonly Told[] }).result[0]!
}

const payment = (approval?: true) => {
  const paid: number[] = []
  const pay = tool({
    name: 'pay',
    input: z.object({ amount: z.number() }),
    ...(approval && { approval }),
    execute({ amount }) {
      paid.push(amount)
      return { paid: amount }
    },
  }) as ToolCallback
  return { pay, paid }
}

const look = (onLook: () => void = () => {}): ToolCallback =>
  tool({
    name: 'look',
    input: z.object({ at: z.number() }),
    execute({ at }) {
      onLook()
      return { at }
    },
  }) as ToolCallback

const decided = async ({ client, result }: Played, decision: Decision): Promise<unknown> =>
  await client
    .resume(
      result.state!,
      Object.fromEntries(result.pending!.map(({ callId }) => [callId, decision])),
    )
    .call()
    .result()

async function asked(
  way: Way,
  settings: { approval?: true; policy?: ToolPolicy; calls?: readonly Call[] },
) {
  // prettier-ignore
  const { pay, paid } = payment(settings.approval)
  const { policy, calls = [pays(AMOUNT)] } = settings
  const client = policy && { policy }
  const played = await play({ way, tools: [pay], programs: [calls], order: 'at once', client })
  const [paidUnasked, waiting] = [paid.length, played.result.pending?.length ?? 0]
  if (waiting > 0) await decided(played, 'approve')
  return { paidUnasked, waiting, paidApproved: paid.length }
}

/** Of the tool itself: what events and an observer told, in order. */
async function toldOfLook(way: Way): Promise<readonly string[]> {
  const told: string[] = []
  const { events } = await play({
    way,
    tools: [look()],
    programs: [looks(1)],
    client: {
      observer: {
        start(kind, info) {
          const isLook = kind === 'tool' && (info as { readonly name?: string }).name === 'look'
          if (isLook) told.push('observer: start')
          return { end: () => void (isLook && told.push('observer: end')) }
        },
      },
    },
  })
  const own = events.filter((event) => 'toolCall' in event && event.toolCall.name === 'look')
  return [...told, ...own.map(({ type }) => type)]
}

await observeCase({
  'approval the tool asks for': (way) => asked(way, { approval: true }),
  'approval a rule asks for': (way) =>
    asked(way, { policy: ({ toolName }) => (toolName === 'pay' ? 'ask' : 'allow') }),

  async 'denied by rule'(way) {
    const { pay, paid } = payment()
    const policy: ToolPolicy = ({ toolName }) => toolName === 'pay' ? { deny: REASONS.rule } : 'allow' // prettier-ignore
    const played = await play({ way, tools: [pay], programs: [[pays(AMOUNT)]], client: { policy } })
    return { paid: paid.length, ...toldOf(way, played) }
  },

  'hooks and events': async () => ({
    direct: await toldOfLook('direct'),
    nested: await toldOfLook('nested'),
  }),

  async 'output schema'(way) {
    const count = tool({ name: 'count', output: z.number(), execute: () => 'seven' as never })
    const programs = [[{ name: 'count', input: {} }]]
    return toldOf(way, await play({ way, tools: [count as ToolCallback], programs }))
  },

  async 'hidden field'(way) {
    const account = tool({
      name: 'account',
      execute: () => ({ owner: 'Ada', password: SECRET }),
      resultConverter: ({ owner }) => `of ${owner}`,
    })
    const programs = [[{ name: 'account', input: {} }]]
    return toldOf(way, await play({ way, tools: [account as ToolCallback], programs }))
  },

  async 'five calls in a row'(way) {
    let ran = 0
    await play({ way, tools: [look(() => void ran++)], programs: [looks(5)] })
    return { ran }
  },

  async 'call limits'(way) {
    let ran = 0
    const client = { limits: { callsPerTool: LIMIT } }
    const tools = [look(() => void ran++)]
    await play({ way, tools, programs: SIX_LOOKS, order: 'at once', client })
    return { ran }
  },

  async 'nested timeout'(way) {
    const slow = tool({
      name: 'slow',
      timeoutMs: TOOL_MS,
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('took too long')))
        }),
    })
    const programs = [[{ name: 'slow', input: {} }]]
    return toldOf(way, await play({ way, tools: [slow as ToolCallback], programs }))
  },

  async 'denial catchable, with reason'(way) {
    const { pay, paid } = payment(true)
    const played = await play({ way, tools: [pay], programs: [[pays(AMOUNT)]] })
    await decided(played, { deny: REASONS.person })
    return { paid: paid.length, ...toldOf(way, played) }
  },

  'two approvals at once': (way) => asked(way, { approval: true, calls: [pays(1), pays(2)] }),

  async 'same state twice'(way) {
    const { pay, paid } = payment(true)
    const played = await play({ way, tools: [pay], programs: [[pays(AMOUNT)]] })
    await decided(played, 'approve')
    await decided(played, 'approve').catch(() => {})
    return { paid: paid.length }
  },

  async 'uninterruptible builtin'() {
    const limits = { turnMs: PROGRAM_MS }
    const tools = [codeMode({ tools: [look()], limits })]
    const { ended } = toldOf('nested', await ask([program(ENDLESS)], { tools }))
    return { ended: ended === undefined ? 'ran to its end' : 'stopped', longestGapMs: longestGap() }
  },
})
