/** TanStack AI with its code mode and its QuickJS driver, which needs no native code; rules are middleware. */
import { chat, defineInterrupt, toolDefinition, type AnyTextAdapter, type ChatMiddleware, type ModelMessage, type StreamChunk } from '@tanstack/ai' // prettier-ignore
import { createCodeMode, type CodeModeTool } from '@tanstack/ai-code-mode'
import { createQuickJSIsolateDriver } from '@tanstack/ai-isolate-quickjs'
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
  SIX_LOOKS,
  type Call,
  type Told,
  type Way,
} from '../../src/bypass/cases.ts'
import { longestGap, observeCase } from '../../src/bypass/observe-case.ts'

interface Play {
  readonly way: Way
  readonly tools: readonly CodeModeTool[]
  readonly programs: readonly (readonly Call[])[]
  readonly order?: 'at once'
  readonly middleware?: ChatMiddleware<unknown, typeof review>
  /** The case is about the time of programs. */
  readonly timeout?: number
}

const IDS = { threadId: 'thread', runId: 'run' }

/** A model that makes these calls one after the other; `requests` are the messages it was sent. */
function scripted(steps: readonly Call[]) {
  const requests: (readonly ModelMessage[])[] = []
  const adapter = {
    kind: 'text',
    name: 'scripted',
    model: 'scripted',
    '~types': {},
    async *chatStream({ messages }: { readonly messages: readonly ModelMessage[] }) {
      const index = requests.push([...messages]) - 1
      const step = steps[index]
      yield { type: 'RUN_STARTED', ...IDS }
      if (step) {
        const toolCallId = `c${index}`
        yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: step.name, toolName: step.name }
        yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(step.input) }
        yield { type: 'TOOL_CALL_END', toolCallId }
      } else {
        yield { type: 'TEXT_MESSAGE_START', messageId: 'answer', role: 'assistant' }
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'answer', delta: 'Done.' }
        yield { type: 'TEXT_MESSAGE_END', messageId: 'answer' }
      }
      yield { type: 'RUN_FINISHED', ...IDS, finishReason: step ? 'tool_calls' : 'stop' }
    },
  } as unknown as AnyTextAdapter
  return { adapter, requests }
}

const programCall = (code: string): Call => ({
  name: 'execute_typescript',
  input: { typescriptCode: code },
})

async function play({ way, programs, order, ...rest }: Play) {
  const steps =
    way === 'direct'
      ? programs.flat()
      : programs.map((calls) => programCall(programOf(calls, (name) => `external_${name}`, order)))
  return await ask(steps, rest)
}

async function ask(
  steps: readonly Call[],
  { tools, middleware, timeout }: Pick<Play, 'tools' | 'middleware' | 'timeout'>,
) {
  // prettier-ignore
  const { adapter, requests } = scripted(steps)
  const code = createCodeMode({ driver: createQuickJSIsolateDriver(), tools: [...tools], timeout })
  const chunks: StreamChunk[] = []
  const stream = chat({
    adapter,
    messages: [{ role: 'user', content: 'Go' }],
    systemPrompts: [code.systemPrompt],
    tools: [...code.tools, ...tools],
    interrupts: [review],
    ...(middleware && { middleware: [middleware] }),
    ...IDS,
  })
  for await (const chunk of stream) chunks.push(chunk)
  const [finish] = chunks.flatMap((chunk) => chunk.type === 'RUN_FINISHED' && chunk.outcome?.type === 'interrupt' ? [chunk.outcome] : []) // prettier-ignore
  return { requests, chunks, waiting: finish?.interrupts.length ?? 0 }
}

/** As the model was told, or its program. */
function toldOf(
  way: Way,
  { requests }: Awaited<ReturnType<typeof ask>>,
): Told & { readonly ended?: string } {
  // prettier-ignore
  const { content } = requests.at(-1)!.find(({ role }) => role === 'tool')!
  const value = JSON.parse(content as string) as { readonly error?: unknown; readonly success?: boolean; readonly result?: readonly Told[] } // prettier-ignore
  if (way === 'direct') return Object(value).error === undefined ? { ok: value } : { error: JSON.stringify(value) } // prettier-ignore
  return value.success ? value.result![0]! : { ended: JSON.stringify(value.error) }
}

const payment = (needsApproval = false) => {
  const paid: number[] = []
  const pay = toolDefinition({
    name: 'pay',
    description: 'Pays',
    inputSchema: z.object({ amount: z.number() }),
    needsApproval,
  }).server(({ amount }) => {
    paid.push(amount)
    return { paid: amount }
  })
  return { tools: [pay as unknown as CodeModeTool], paid }
}

const look = (onLook: () => void = () => {}): CodeModeTool =>
  toolDefinition({
    name: 'look',
    description: 'Looks',
    inputSchema: z.object({ at: z.number() }),
  }).server(({ at }) => {
    onLook()
    return { at }
  }) as unknown as CodeModeTool

/** It ends at the question: whoever is asked directly answers in a request of the page. */
async function asked(way: Way, settings: { byRule?: true; calls?: readonly Call[] } = {}) {
  const { byRule, calls = [pays(AMOUNT)] } = settings
  const { tools, paid } = payment(!byRule)
  const middleware = byRule && REVIEWING
  const { waiting } = await play({ way, tools, programs: [calls], order: 'at once', middleware })
  return { paidUnasked: paid.length, waiting }
}

/** The nearest to a rule that asks: it stops all tools of a round. */
const review = defineInterrupt({
  id: 'review',
  responseSchema: z.object({ approved: z.boolean() }),
})
const REVIEWING: ChatMiddleware<unknown, typeof review> = {
  onInterruptBoundary({ phase, messages }) {
    const calls = messages.at(-1)?.toolCalls ?? []
    const isPayment = calls.some((call) => call.function.name === 'pay')
    if (phase !== 'beforeTools' || !isPayment) return undefined
    return { interrupts: [review.interrupt({ key: 'pay', reason: 'asks', message: 'Pay?' })] }
  },
}

async function toldOfLook(way: Way): Promise<readonly string[]> {
  const told: string[] = []
  const middleware: ChatMiddleware = {
    onBeforeToolCall: (_context, { toolName }) => void (toolName === 'look' && told.push('onBeforeToolCall')), // prettier-ignore
    onAfterToolCall: (_context, { toolName }) => void (toolName === 'look' && told.push('onAfterToolCall')), // prettier-ignore
  }
  const { chunks } = await play({ way, tools: [look()], programs: [looks(1)], middleware })
  const isOwn = (chunk: StreamChunk): boolean =>
    way === 'direct'
      ? chunk.type.startsWith('TOOL_CALL')
      : chunk.type === 'CUSTOM' && JSON.stringify(chunk.value).includes('external_look')
  const own = chunks.filter(isOwn)
  return [...told, ...own.map((chunk) => (chunk.type === 'CUSTOM' ? chunk.name : chunk.type))]
}

await observeCase({
  'approval the tool asks for': (way) => asked(way),
  'approval a rule asks for': (way) => asked(way, { byRule: true }),

  async 'denied by rule'(way) {
    const { tools, paid } = payment()
    const middleware: ChatMiddleware = {
      onBeforeToolCall: (_context, { toolName }) =>
        toolName === 'pay' ? { type: 'skip', result: { error: REASONS.rule } } : undefined,
    }
    const played = await play({ way, tools, programs: [[pays(AMOUNT)]], middleware })
    return { paid: paid.length, ...toldOf(way, played) }
  },

  'hooks and events': async () => ({
    direct: await toldOfLook('direct'),
    nested: await toldOfLook('nested'),
  }),

  async 'output schema'(way) {
    const count = toolDefinition({
      name: 'count',
      description: 'Counts',
      inputSchema: z.object({}),
      outputSchema: z.number(),
    }).server(() => 'seven' as never) as unknown as CodeModeTool
    const programs = [[{ name: 'count', input: {} }]]
    return toldOf(way, await play({ way, tools: [count], programs }))
  },

  'hidden field': async () => ({ noWay: 'a model gets what a tool returns' }),

  async 'five calls in a row'(way) {
    let ran = 0
    await play({ way, tools: [look(() => void ran++)], programs: [looks(5)] })
    return { ran }
  },

  /** A budget of calls is middleware, says its documentation. */
  async 'call limits'(way) {
    let [ran, calls] = [0, 0]
    const middleware: ChatMiddleware = {
      onBeforeToolCall: (_context, { toolName }) =>
        toolName === 'look' && ++calls > LIMIT ? { type: 'skip', result: { error: 'limit' } } : undefined, // prettier-ignore
    }
    const tools = [look(() => void ran++)]
    await play({ way, tools, programs: SIX_LOOKS, order: 'at once', middleware })
    return { ran }
  },

  /** No tool has a time limit; programs have one, so at least that might end it. */
  async 'nested timeout'(way) {
    if (way === 'direct') return { noWay: 'no time limit of tools' }
    const slow = toolDefinition({ name: 'slow', description: 'Slow', inputSchema: z.object({}) }).server(() => new Promise<never>(() => {})) as unknown as CodeModeTool // prettier-ignore
    const programs = [[{ name: 'slow', input: {} }]]
    return toldOf(way, await play({ way, tools: [slow], programs, timeout: PROGRAM_MS }))
  },

  async 'denial catchable, with reason'(way) {
    const { tools, paid } = payment(true)
    const played = await play({ way, tools, programs: [[pays(AMOUNT)]] })
    return { paid: paid.length, ...toldOf(way, played) }
  },

  'two approvals at once': (way) => asked(way, { calls: [pays(1), pays(2)] }),

  'same state twice': async () => ({ noWay: 'programs do not wait, so there is no state' }),

  async 'uninterruptible builtin'() {
    const played = await ask([programCall(ENDLESS)], { tools: [look()], timeout: PROGRAM_MS })
    const { ended } = toldOf('nested', played)
    return { ended: ended === undefined ? 'ran to its end' : 'stopped', longestGapMs: longestGap() }
  },
})
