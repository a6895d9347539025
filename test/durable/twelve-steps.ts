/**
 * The runs that the suites run: a model that keeps nothing in memory, so that any worker gives the answer that any other
 * would have given, and tools that tell the ledger what they did. Four answers of the model and eight calls: 12 steps.
 */
import { ChatClient, tool, type ChatModel, type Message, type ToolCallback } from 'toolwright'
import type { EffectLedger, LedgerCall } from './effect-ledger.ts'
import { programClient } from './program-run.ts'
import { statelessModel } from './stateless-model.ts'

/** `look` reads, `pay` is keyed, `set` is idempotent, `send` must not happen twice. */
export type ToolName = 'look' | 'pay' | 'set' | 'send'

/** The calls that each round asks for, all of a round at once. */
const ROUNDS: readonly (readonly ToolName[])[] = [
  ['look'],
  ['pay', 'send', 'set'],
  ['send', 'look', 'send', 'pay'],
]

export interface ScriptedToolCall {
  readonly callId: string
  readonly toolName: ToolName
  /** Counted over the whole run, from 1. */
  readonly call: number
}

const NUMBERED = ROUNDS.map((names, round) =>
  names.map((toolName, index): ScriptedToolCall => {
    const call = ROUNDS.slice(0, round).flat().length + index + 1
    return { callId: `c${call}`, toolName, call }
  }),
)

/** Every call of a run, in order. */
export const CALLS: readonly ScriptedToolCall[] = NUMBERED.flat()

export const promptOf = (run: string): string => `Do the twelve steps of ${run}.`

/** The names of the clients that every worker has. */
export type ClientName = 'steps' | 'approval' | 'wrong' | 'program'

/**
 * `steps`: the 12 steps. `approval`: one payment that somebody approves. `wrong`: the 12 steps, with a tool `send` that
 * says it may be repeated although it may not, which the checks must find. `program`: a program makes 13 calls.
 */
export function clientsOf(ledger: EffectLedger): { readonly [name in ClientName]: ChatClient } {
  return {
    steps: ChatClient.create(twelveSteps(ledger), { tools: toolsOf(ledger, 'once'), limits }),
    wrong: ChatClient.create(twelveSteps(ledger), { tools: toolsOf(ledger, 'idempotent'), limits }),
    approval: ChatClient.create(onePayment, { tools: [approvedPayment(ledger)] }),
    program: programClient([...toolsOf(ledger, 'once'), approvedPayment(ledger, 'approved')]),
  }
}

/** For a worker that is stopped time goes on; how long its tools took then is not what is examined. */
const limits = { toolTimeoutMs: 'unlimited' } as const

const input = {
  type: 'object',
  properties: { call: { type: 'integer' } },
  required: ['call'],
} as const

function toolsOf(ledger: EffectLedger, sending: 'once' | 'idempotent'): readonly ToolCallback[] {
  const made = (name: ToolName, act: (of: LedgerCall, key: string) => Promise<string>) =>
    tool({
      name,
      input,
      effect: { look: 'read', pay: 'keyed', set: 'idempotent', send: sending }[name] as 'read',
      async execute({ call }: { readonly call: number }, { values, idempotencyKey }) {
        const { run, delayMs } = values as { readonly run: string; readonly delayMs: number }
        await pause(delayMs)
        const result = await act({ run, call }, idempotencyKey)
        await pause(delayMs)
        return result
      },
    })
  return [
    made('look', async (of) => {
      await ledger.look(of)
      return `looked ${of.call}`
    }),
    made('pay', async (of, key) => {
      await ledger.pay(of, key)
      return `paid ${of.call}`
    }),
    made('set', async (of) => {
      await ledger.pay(of, `${of.run} set ${of.call}`)
      return `set ${of.call}`
    }),
    made('send', async (of) => sentAs(of.call, await ledger.send(of))),
  ]
}

/** What `send` says: which row of the ledger it is. */
export const sentAs = (call: number, row: number): string => `sent ${call} as ${row}`

function approvedPayment(ledger: EffectLedger, name = 'pay'): ToolCallback {
  return tool({
    name,
    input,
    effect: 'keyed',
    approval: true,
    async execute({ call }: { readonly call: number }, { values, idempotencyKey }) {
      const { run } = values as { readonly run: string }
      await ledger.pay({ run, call }, idempotencyKey)
      return `paid ${call}`
    },
  })
}

function twelveSteps(ledger: EffectLedger): ChatModel {
  return statelessModel(async ({ messages }) => {
    const round = messages.filter(({ role }) => role === 'tool').length
    const run = /of (.*)\.$/.exec(textOf(messages.find(({ role }) => role === 'user')))![1]!
    checkHistory(messages)
    // Asking the model is something that can be cut off, too. It counts as call 0.
    await ledger.look({ run, call: 0 })
    const calls = NUMBERED[round]
    return calls ? { toolCalls: calls.map(asked) } : { text: `All of ${run} is done.` }
  })
}

const asked = ({ callId, toolName, call }: ScriptedToolCall) => ({
  id: callId,
  name: toolName,
  arguments: { call },
})

const onePayment = statelessModel(async ({ messages }) =>
  messages.some(({ role }) => role === 'tool')
    ? { text: 'Paid.' }
    : { toolCalls: [asked({ callId: 'c1', toolName: 'pay', call: 1 })] },
)

/** As strict providers do: each call has one response, in its place. */
function checkHistory(messages: readonly Message[]): void {
  const rounds = messages.filter(({ role }) => role === 'tool')
  rounds.forEach((message, round) => {
    const ids = message.role === 'tool' ? message.responses.map(({ id }) => id) : []
    const expected = NUMBERED[round]!.map(({ callId }) => callId)
    if (ids.join() !== expected.join())
      throw new Error(
        `Round ${round} has responses to ${ids.join()} instead of ${expected.join()}.`,
      )
  })
}

const textOf = (message: Message | undefined): string =>
  message?.role === 'user' && typeof message.content === 'string' ? message.content : ''

const pause = (upToMs: number): Promise<void> =>
  upToMs > 0
    ? new Promise((resolve) => setTimeout(resolve, Math.random() * upToMs))
    : Promise.resolve()
