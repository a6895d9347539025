/**
 * The AI SDK 7 with its code mode, as its documentation says: tools of one set, offered to programs by
 * `experimental_toolCallers`, and approvals of programs by interrupts, which its package exports.
 */
import {
  DIRECT_TOOL_CALL,
  experimental_codeModeTool as codeModeTool,
  experimental_continueCodeModeApproval as continueApproval,
  experimental_getCodeModeInterrupt as interruptIn,
  type CodeModeApprovalInterrupt,
  type CodeModeOptions,
} from '@ai-sdk/code-mode'
import { generateText, isStepCount, tool, type ModelMessage, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
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
} from '../../src/bypass/cases.ts'
import { longestGap, observeCase } from '../../src/bypass/observe-case.ts'

const continuationSecurity = { signingKey: 'the same in every process of this benchmark' }
const CODE_MODE: CodeModeOptions = {
  approval: { mode: 'interrupt' },
  continuationSecurity,
}
const TIMED: CodeModeOptions = { ...CODE_MODE, executionPolicy: { timeoutMs: PROGRAM_MS } }

type Settings = Partial<Omit<Parameters<typeof generateText<ToolSet>>[0], 'messages' | 'prompt'>>
type Content = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>['content']

interface Play {
  readonly way: Way
  readonly tools: ToolSet
  readonly programs: readonly (readonly Call[])[]
  readonly order?: 'at once'
  readonly settings?: Settings
  readonly codeMode?: CodeModeOptions
}

const called = (toolName: string, input: object, index: number): Content => [
  { type: 'tool-call', toolCallId: `c${index}`, toolName, input: JSON.stringify(input) },
]

function scripted(steps: readonly Content[]): MockLanguageModelV4 {
  let asked = 0
  return new MockLanguageModelV4({
    async doGenerate() {
      const content = steps[asked++] ?? [{ type: 'text', text: 'Done.' }]
      const unified = content[0]!.type === 'tool-call' ? 'tool-calls' : 'stop'
      const none = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }
      return {
        content,
        finishReason: { unified, raw: undefined },
        usage: { inputTokens: none, outputTokens: none },
        warnings: [],
      }
    },
  })
}

const isInterrupted = (output: unknown): boolean =>
  interruptIn(output, continuationSecurity) !== undefined

async function play({ way, tools, programs, order, settings, codeMode = CODE_MODE }: Play) {
  const steps =
    way === 'direct'
      ? programs.flat().map(({ name, input }, index) => called(name, input, index))
      : programs.map((calls, index) => called('code_mode', { js: programOf(calls, (name) => `tools.${name}`, order) }, index)) // prettier-ignore
  return await ask(scripted(steps), { tools, codeMode, settings })
}

async function ask(
  model: MockLanguageModelV4,
  { tools, codeMode, settings }: Pick<Play, 'tools' | 'codeMode' | 'settings'>,
) {
  const offered = { code_mode: codeModeTool(codeMode), ...tools } as ToolSet
  const toolCallers = Object.fromEntries(Object.keys(tools).map((name) => [name, ['code_mode', DIRECT_TOOL_CALL]])) // prettier-ignore
  const generate = async (messages: ModelMessage[]) =>
    await generateText({
      stopWhen: [
        isStepCount(20),
        ({ steps }) => steps.at(-1)!.toolResults.some(({ output }) => isInterrupted(output)),
      ],
      ...(settings as object),
      model,
      tools: offered,
      experimental_toolCallers: toolCallers as never,
      messages,
    })
  const messages: ModelMessage[] = [{ role: 'user', content: 'Go' }]
  const result = await generate(messages)
  const content = result.steps.flatMap((step) => step.content)
  return {
    model,
    tools,
    content,
    /** Goes on with what waits, which was asked for directly. */
    approved: async () => {
      const answers = content.flatMap((part) => part.type === 'tool-approval-request' ? [{ type: 'tool-approval-response' as const, approvalId: part.approvalId, approved: true }] : []) // prettier-ignore
      await generate([...messages, ...result.responseMessages, { role: 'tool', content: answers }])
    },
    asked: content.filter(({ type }) => type === 'tool-approval-request').length,
    interrupt: result.steps.at(-1)!.toolResults.map(({ output }) => interruptIn(output, continuationSecurity)).find((each) => each !== undefined) as CodeModeApprovalInterrupt | undefined, // prettier-ignore
  }
}

type Played = Awaited<ReturnType<typeof ask>>

/** Decides what a program waits for, one after another as they are shown; gives what the program gave. */
async function decided(
  { interrupt, tools }: Pick<Played, 'interrupt' | 'tools'>,
  response: { readonly approved: boolean; readonly reason?: string },
): Promise<unknown> {
  if (interrupt === undefined) throw new Error('nothing waits')
  const output = await continueApproval({
    interrupt,
    approvalResponse: { approvalId: interrupt.interruptId, ...response },
    tools,
    options: CODE_MODE,
  })
  const next = interruptIn(output, continuationSecurity) as CodeModeApprovalInterrupt | undefined
  return next === undefined ? output : await decided({ interrupt: next, tools }, response)
}

/** As the model was told, or its program. */
function toldOf(way: Way, { model }: Played): Told & { readonly ended?: string } {
  const parts = model.doGenerateCalls.at(-1)!.prompt.flatMap((message) => (message.role === 'tool' ? message.content : [])) // prettier-ignore
  const output = parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))[0]!
  const text = JSON.stringify('value' in output ? output.value : output)
  if (
    output.type === 'error-text' ||
    output.type === 'error-json' ||
    output.type === 'execution-denied'
  )
    return way === 'direct' ? { error: text } : { ended: text }
  return way === 'direct'
    ? { ok: JSON.parse(text) as unknown }
    : (JSON.parse(text) as readonly Told[])[0]!
}

const payment = (needsApproval = false) => {
  const paid: number[] = []
  const pay = tool({
    inputSchema: z.object({ amount: z.number() }),
    needsApproval,
    execute({ amount }) {
      paid.push(amount)
      return { paid: amount }
    },
  })
  return { tools: { pay } as ToolSet, paid }
}

const look = (onLook: () => void = () => {}) =>
  tool({
    inputSchema: z.object({ at: z.number() }),
    execute({ at }) {
      onLook()
      return { at }
    },
  })

async function asked(
  way: Way,
  settings: { byTool?: boolean; byRule?: Settings; calls?: readonly Call[] },
) {
  // prettier-ignore
  const { tools, paid } = payment(settings.byTool)
  const programs = [settings.calls ?? [pays(AMOUNT)]]
  const played = await play({ way, tools, programs, order: 'at once', settings: settings.byRule })
  const [paidUnasked, waiting] = [paid.length, played.asked + (played.interrupt ? 1 : 0)]
  if (waiting === 0) return { paidUnasked, waiting }
  await (way === 'direct' ? played.approved() : decided(played, { approved: true }))
  return { paidUnasked, waiting, paidApproved: paid.length }
}

/** Here a function of the application denies, while the program is held in memory. */
async function toldAtOnce(): Promise<unknown> {
  const onApprovalRequired = () => ({ approved: false, reason: REASONS.person })
  const codeMode = { ...CODE_MODE, approval: { onApprovalRequired } }
  const { tools } = payment(true)
  return toldOf(
    'nested',
    await play({ way: 'nested', tools, programs: [[pays(AMOUNT)]], codeMode }),
  )
}

async function toldOfLook(way: Way): Promise<readonly string[]> {
  const told: string[] = []
  const hook =
    (name: string) =>
    ({ toolCall }: { readonly toolCall: { readonly toolName: string } }) => {
      if (toolCall.toolName === 'look') told.push(name)
    }
  const settings = {
    onToolExecutionStart: hook('onToolExecutionStart'),
    onToolExecutionEnd: hook('onToolExecutionEnd'),
  } as Settings
  const { content } = await play({ way, tools: { look: look() }, programs: [looks(1)], settings })
  const own = content.filter((part) => 'toolName' in part && part.toolName === 'look')
  return [...told, ...own.map(({ type }) => type)]
}

await observeCase({
  'approval the tool asks for': (way) => asked(way, { byTool: true }),
  'approval a rule asks for': (way) =>
    asked(way, { byRule: { toolApproval: { pay: 'user-approval' } } }),

  async 'denied by rule'(way) {
    const { tools, paid } = payment()
    const settings: Settings = { toolApproval: { pay: { type: 'denied', reason: REASONS.rule } } }
    const played = await play({ way, tools, programs: [[pays(AMOUNT)]], settings })
    return { paid: paid.length, ...toldOf(way, played) }
  },

  'hooks and events': async () => ({
    direct: await toldOfLook('direct'),
    nested: await toldOfLook('nested'),
  }),

  async 'output schema'(way) {
    const count = tool({
      inputSchema: z.object({}),
      outputSchema: z.number(),
      execute: () => 'seven' as never,
    })
    const programs = [[{ name: 'count', input: {} }]]
    return toldOf(way, await play({ way, tools: { count }, programs }))
  },

  async 'hidden field'(way) {
    const account = tool({
      inputSchema: z.object({}),
      execute: () => ({ owner: 'Ada', password: SECRET }),
      toModelOutput: ({ output: { owner } }) => ({ type: 'text', value: `of ${owner}` }),
    })
    const programs = [[{ name: 'account', input: {} }]]
    return toldOf(way, await play({ way, tools: { account } as ToolSet, programs }))
  },

  async 'five calls in a row'(way) {
    let ran = 0
    await play({ way, tools: { look: look(() => void ran++) }, programs: [looks(5)] })
    return { ran }
  },

  /** What a run may call is said by `stopWhen`, what a program may by `maxBridgeRequests`. */
  async 'call limits'(way) {
    let ran = 0
    await play({
      way,
      tools: { look: look(() => void ran++) },
      programs: SIX_LOOKS,
      order: 'at once',
      settings: {
        stopWhen: ({ steps }) => steps.flatMap((step) => step.toolCalls).length >= LIMIT,
      },
      codeMode: { ...CODE_MODE, executionPolicy: { maxBridgeRequests: LIMIT } },
    })
    return { ran }
  },

  async 'nested timeout'(way) {
    const slow = tool({
      inputSchema: z.object({}),
      execute: (_input, { abortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal?.addEventListener('abort', () => reject(new Error('took too long')))
        }),
    })
    const programs = [[{ name: 'slow', input: {} }]]
    const settings = { timeout: { tools: { slowMs: TOOL_MS } } } as Settings
    const played = await play({
      way,
      tools: { slow } as ToolSet,
      programs,
      settings,
      codeMode: TIMED,
    })
    return toldOf(way, played)
  },

  async 'denial catchable, with reason'(way) {
    const { tools, paid } = payment(true)
    const played = await play({ way, tools, programs: [[pays(AMOUNT)]] })
    try {
      const told = await decided(played, { approved: false, reason: REASONS.person })
      return { paid: paid.length, ...(told as readonly Told[])[0] }
    } catch (error) {
      const atOnce = JSON.stringify(await toldAtOnce())
      return { paid: paid.length, ended: String(error), atOnce }
    }
  },

  'two approvals at once': (way) => asked(way, { byTool: true, calls: [pays(1), pays(2)] }),

  async 'same state twice'(way) {
    const { tools, paid } = payment(true)
    const played = await play({ way, tools, programs: [[pays(AMOUNT)]] })
    await decided(played, { approved: true })
    await decided(played, { approved: true }).catch(() => {})
    return { paid: paid.length }
  },

  async 'uninterruptible builtin'() {
    const model = scripted([called('code_mode', { js: ENDLESS }, 0)])
    const { ended } = toldOf(
      'nested',
      await ask(model, { tools: { look: look() }, codeMode: TIMED }),
    )
    return { ended: ended === undefined ? 'ran to its end' : 'stopped', longestGapMs: longestGap() }
  },
})
