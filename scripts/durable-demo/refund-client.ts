/**
 * The client of the demonstration. Its model is a rule, not a language model, and follows from the conversation alone, so
 * any worker can go on with any run: look the order up, refund it and write a letter, say so.
 */
import { ChatClient, tool, type ChatModel, type Prompt } from 'toolwright'
import { scriptedModel, type ScriptedAnswer } from 'toolwright/testing'
import { z } from 'zod'
import type { Office } from './office.ts'

/** From this amount on somebody must approve. */
const APPROVAL_FROM = 500
/** Among the first, so that it waits before the kill. */
const EXPENSIVE = 2
const WORK_MS = 350

const amountOf = (order: number): number => (order === EXPENSIVE ? 900 : 20 + order)

export const questionAbout = (order: number): string => `Refund order ${order}`

export function refundClient(office: Office, worker: string): ChatClient {
  const input = z.object({ order: z.int() })
  const lookUp = tool({
    name: 'lookUpOrder',
    description: 'Looks an order up',
    hints: { readOnly: true },
    input,
    async execute({ order }) {
      await work()
      return { order, amount: amountOf(order) }
    },
  })
  const refund = tool({
    name: 'refund',
    description: 'Pays the price of an order back',
    effect: 'keyed',
    input,
    approval: ({ order }) => amountOf(order) >= APPROVAL_FROM,
    async execute({ order }, { idempotencyKey }) {
      await work()
      await office.refund(order, idempotencyKey)
      await work()
      return `${amountOf(order)} refunded`
    },
  })
  const sendLetter = tool({
    name: 'sendLetter',
    description: 'Sends the customer a letter about an order',
    effect: 'once',
    input,
    async execute({ order }) {
      await work()
      await office.sendLetter({ order, worker })
      await work()
      return 'sent'
    },
  })
  return ChatClient.create(ruleModel, { tools: [lookUp, refund, sendLetter] })
}

function answer({ messages }: Prompt): ScriptedAnswer {
  const asked = messages.find(({ role }) => role === 'user')
  const order = Number(/\d+/.exec(JSON.stringify(asked))![0])
  const call = (name: string) => ({ id: name, name, arguments: { order } })
  const rounds = messages.filter(({ role }) => role === 'tool').length
  if (rounds === 0) return { toolCalls: [call('lookUpOrder')] }
  if (rounds === 1) return { toolCalls: [call('refund'), call('sendLetter')] }
  return { text: `Order ${order} is refunded, and a letter is on its way.` }
}

const ruleModel: ChatModel = {
  ...scriptedModel([]),
  call: (prompt, run) => scriptedModel([answer(prompt)]).call(prompt, run),
  stream: (prompt, run) => scriptedModel([answer(prompt)]).stream(prompt, run),
}

const work = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, WORK_MS * (0.5 + Math.random())))
