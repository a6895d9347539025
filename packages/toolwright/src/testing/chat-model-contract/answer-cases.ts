/** What a model answers: the same message whether called or streamed, in pieces that add up to it. */
import assert from 'node:assert/strict'
import { wrong } from '../contract-case.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse, FinishReason, Generation } from '../../messages/chat-response.ts'
import type { AssistantPart } from '../../messages/message.ts'
import { textOf, toolCallsOf } from '../../messages/reading.ts'
import { checkResponseShape } from './response-shape.ts'
import type { ModelCase, ModelTrial } from './model-trial.ts'
import type { ContractAnswer } from './model-under-test.ts'

const USAGE = { inputTokens: 70, outputTokens: 30 }

const TEXT: ContractAnswer = { text: ['Sun', 'ny, ', 'with a wärm breeze 😀.'], usage: USAGE }
const CALLS: ContractAnswer = {
  text: ['Let me ', 'look.'],
  toolCalls: [
    { id: 'call_a', name: 'weather', arguments: ['{"ci', 'ty":"Par', 'is"}'] },
    { id: 'call_b', name: 'local_time', arguments: ['{}'] },
    { id: 'call_c', name: 'weather', arguments: ['{"city":"', 'Rome"}'] },
  ],
  usage: USAGE,
}
const CUT: ContractAnswer = { text: ['Sunny, wi'], finish: 'length', usage: USAGE }
const THOUGHT: ContractAnswer = { ...CALLS, reasoning: 'Two cities, so two calls.' }

export const ANSWER_CASES: readonly ModelCase[] = [
  {
    name: 'a called model answers text, with its finish reason and usage',
    turns: [TEXT],
    async check(trial) {
      const response = await trial.call(await trial.model())
      checkResponseShape(response)
      assert.equal(textOf(response), TEXT.text!.join(''), 'The text is not what the provider sent.')
      checkFinish(response, 'stop')
      checkUsage(response)
    },
  },
  {
    name: 'a called model returns the calls unexecuted, in order, with their raw arguments',
    turns: [CALLS],
    async check(trial) {
      const response = await trial.call(await trial.model())
      checkResponseShape(response)
      checkCalls(response)
      checkFinish(response, 'tool-calls')
    },
  },
  {
    name: 'an answer cut at the token limit says so',
    turns: [CUT],
    async check(trial) {
      checkFinish(await trial.call(await trial.model()), 'length')
      checkFinish(responseOf(await trial.stream(await trial.model())), 'length')
    },
  },
  {
    name: 'a stream has exactly one response event, and it is the last',
    turns: [CALLS],
    async check(trial) {
      const events = await trial.stream(await trial.model())
      const kinds = events.map((event) => event.type)
      const foreign = kinds.find((kind) => !OF_A_MODEL.has(kind))
      assert.equal(foreign, undefined, `A model does not emit ${foreign} events.`)
      const responses = kinds.filter((kind) => kind === 'response').length
      assert.equal(responses, 1, `There are ${responses} response events: ${kinds.join(', ')}.`)
      assert.equal(kinds.at(-1), 'response', `The events end with ${kinds.at(-1)}.`)
      checkResponseShape(responseOf(events))
    },
  },
  ...[TEXT, CALLS, CUT].map((turn): ModelCase => sameAnswer(turn)),
  {
    name: 'the text deltas of a stream join to the text',
    turns: [CALLS],
    async check(trial) {
      const events = await trial.stream(await trial.model())
      const said = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
      assert.equal(said, textOf(responseOf(events)), 'The deltas do not join to the text.')
    },
  },
  {
    name: 'a streamed call starts, comes in pieces that join to its arguments, and is complete',
    turns: [CALLS],
    async check(trial) {
      const events = await trial.stream(await trial.model())
      for (const call of toolCallsOf(responseOf(events))) checkStreamedCall(events, call.id)
      checkCalls(responseOf(events))
    },
  },
  {
    name: 'a stream tells the parts in the order of the message',
    turns: [CALLS],
    check: checkOrder,
  },
]

/** For providers that tell what their model thought. */
export const REASONING_CASES: readonly ModelCase[] = [
  {
    name: 'what the model thought is a part before the rest',
    turns: [THOUGHT],
    async check(trial) {
      const response = await trial.call(await trial.model())
      checkResponseShape(response)
      const kinds = partsOf(response.results[0]!).map((part) => part.type)
      const expected = ['reasoning', 'text', 'tool-call', 'tool-call', 'tool-call']
      assert.deepEqual(kinds, expected, 'The parts are not those the provider sent, in order.')
      const [thought] = partsOf(response.results[0]!)
      assert.equal(thought?.type === 'reasoning' && thought.text, THOUGHT.reasoning)
    },
  },
  {
    name: 'a stream tells thoughts in the order of the message',
    turns: [THOUGHT],
    check: checkOrder,
  },
  {
    name: 'the reasoning deltas of a stream join to the thought',
    turns: [THOUGHT],
    async check(trial) {
      const events = await trial.stream(await trial.model())
      const deltas = events.filter((event) => event.type === 'reasoning-delta')
      if (deltas.length === 0) return
      assert.equal(deltas.map((event) => event.text).join(''), THOUGHT.reasoning)
    },
  },
  sameAnswer(THOUGHT),
]

const OF_A_MODEL: ReadonlySet<ChatEvent['type']> = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-call-start',
  'tool-call-delta',
  'tool-call',
  'part',
  'notice',
  'response',
])

function sameAnswer(turn: ContractAnswer): ModelCase {
  const kind = turn.reasoning ? 'thoughts' : (turn.finish ?? (turn.toolCalls ? 'calls' : 'text'))
  return {
    name: `a stream ends with the response a call gives (${kind})`,
    turns: [turn],
    async check(trial) {
      const called = await trial.call(await trial.model())
      const streamed = responseOf(await trial.stream(await trial.model()))
      assert.deepEqual(
        { results: streamed.results.map(essence), usage: streamed.usage },
        { results: called.results.map(essence), usage: called.usage },
        'call() and stream() give different answers to the same exchange.',
      )
    },
  }
}

const essence = ({ message, finishReason }: Generation): object => ({ message, finishReason })

/** Text comes as deltas only, and a thought is whole when the provider says so: these two may overlap. */
async function checkOrder(trial: ModelTrial): Promise<void> {
  const events = await trial.stream(await trial.model())
  const told = partsTold(events)
  const message = partsOf(responseOf(events).results[0]!)
  for (const kept of [isNoText, isTextOrCall]) {
    const order = merged(told.filter(kept))
    const expected = merged(message.filter(kept))
    assert.deepEqual(order, expected, 'The events tell other parts, or another order.')
  }
}

const isNoText = (part: AssistantPart): boolean => part.type !== 'text'
const isTextOrCall = (part: AssistantPart): boolean =>
  part.type === 'text' || part.type === 'tool-call'

/** The message as the events tell it. */
function partsTold(events: readonly ChatEvent[]): readonly AssistantPart[] {
  return events.flatMap((event): readonly AssistantPart[] => {
    if (event.type === 'text-delta') return [{ type: 'text', text: event.text }]
    if (event.type === 'tool-call') return [event.toolCall]
    return event.type === 'part' ? [event.part] : []
  })
}

/** Neighbouring texts are one. What else a text part carries, no event tells. */
function merged(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const whole: AssistantPart[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (part.type !== 'text') whole.push(part)
    else if (last?.type === 'text') whole.splice(-1, 1, { ...last, text: last.text + part.text })
    else if (part.text !== '') whole.push({ type: 'text', text: part.text })
  }
  return whole
}

function checkStreamedCall(events: readonly ChatEvent[], id: string): void {
  const own = events.filter(
    (event) =>
      (event.type === 'tool-call' && event.toolCall.id === id) ||
      ((event.type === 'tool-call-start' || event.type === 'tool-call-delta') && event.id === id),
  )
  const kinds = own.map((event) => event.type)
  const order = /^tool-call-start,(?:tool-call-delta,)*tool-call$/
  assert.match(kinds.join(), order, `The events of call ${id} come in a wrong order or number.`)
  const deltas = own.flatMap((event) => (event.type === 'tool-call-delta' ? [event.delta] : []))
  const complete = own.find((event) => event.type === 'tool-call')!.toolCall
  if (deltas.length === 0) return
  assert.equal(deltas.join(''), complete.arguments, `The deltas of call ${id} do not join.`)
}

function checkCalls(response: ChatResponse): void {
  const calls = toolCallsOf(response).map(({ id, name, arguments: text }) => ({ id, name, text }))
  const expected = CALLS.toolCalls!.map((call) => ({
    id: call.id,
    name: call.name,
    text: call.arguments.join(''),
  }))
  // A provider may send arguments as a value; what it means must stay.
  const meaning = (call: { text: string }): object => ({ ...call, text: parsed(call.text) })
  assert.deepEqual(calls.map(meaning), expected.map(meaning), 'The calls are not those sent.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(`The arguments ${JSON.stringify(text)} are no JSON, although JSON was sent.`)
  }
}

const checkFinish = (response: ChatResponse, reason: FinishReason): void =>
  assert.equal(response.results[0]?.finishReason, reason, 'The finish reason is wrong.')

function checkUsage({ usage }: ChatResponse): void {
  const { inputTokens, outputTokens } = usage
  assert.deepEqual({ inputTokens, outputTokens }, USAGE, 'The usage is not what was reported.')
}

function partsOf({ message }: Generation): readonly AssistantPart[] {
  const { content } = message
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function responseOf(events: readonly ChatEvent[]): ChatResponse {
  const event = events.find((candidate) => candidate.type === 'response')
  if (event) return event.response
  throw wrong('The events end without a response.')
}
