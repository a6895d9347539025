/** What leaves for the provider, for models whose requests can be seen. */
import assert from 'node:assert/strict'
import { ToolwrightError } from '../../errors/errors.ts'
import type { Message } from '../../messages/message.ts'
import type { Prompt } from '../../model/chat-model.ts'
import {
  asked,
  localTime,
  MODES,
  PROMPT,
  weather,
  type ModelCase,
  type ModelTrial,
  type Mode,
} from './model-trial.ts'

const ANSWER = { text: ['Sunny.'] }
const { messages } = PROMPT

/** Asks once in each mode and hands each request over. */
async function eachRequest(
  trial: ModelTrial,
  prompt: Prompt,
  check: (body: string, mode: Mode) => void,
): Promise<void> {
  for (const mode of MODES) {
    const before = trial.sent().length
    await trial[mode](await trial.model(), prompt)
    const sent = trial.sent().slice(before)
    assert.equal(sent.length, 1, `${mode}() sent ${sent.length} requests for one exchange.`)
    check(sent[0]!, mode)
  }
}

export const REQUEST_CASES: readonly ModelCase[] = [
  {
    name: 'the definitions of the offered tools are sent',
    turns: [ANSWER],
    check: (trial) =>
      eachRequest(trial, PROMPT, (body, mode) => {
        const { definition } = weather
        const expected = [definition.name, definition.description, 'Name of the city']
        for (const text of [...expected, localTime.definition.name])
          assert.ok(body.includes(text), `${mode}() does not send "${text}".`)
      }),
  },
  {
    name: 'the tool context is never sent',
    turns: [ANSWER],
    defaults: { toolContext: { ownSecret: 'context-of-the-model' } },
    check: (trial) => {
      const toolContext = { promptSecret: 'context-of-the-prompt' }
      const prompt = { messages, options: { ...PROMPT.options, toolContext } }
      return eachRequest(trial, prompt, (body, mode) => {
        const leak = /ownSecret|promptSecret|context-of-the-\w+|toolContext/.exec(body)
        assert.equal(leak, null, `${mode}() sends "${leak?.[0]}" of the tool context.`)
      })
    },
  },
  {
    name: "the model's options are overlaid by the prompt's, field by field",
    turns: [ANSWER],
    defaults: { temperature: 0.125, maxTokens: 4321 },
    check: (trial) =>
      eachRequest(trial, { messages, options: { temperature: 0.625 } }, (body, mode) => {
        assert.match(body, /\b0\.625\b/, `${mode}() does not send the prompt's temperature.`)
        assert.doesNotMatch(body, /\b0\.125\b/, `${mode}() sends the overlaid temperature.`)
        assert.match(body, /\b4321\b/, `${mode}() forgets the model's own maxTokens.`)
      }),
  },
  {
    name: "the prompt's tools replace the model's",
    turns: [ANSWER],
    defaults: { tools: [localTime] },
    check: (trial) =>
      eachRequest(trial, { messages, options: { tools: [weather] } }, (body, mode) => {
        assert.ok(body.includes(weather.definition.name), `${mode}() forgets the prompt's tool.`)
        const kept = body.includes(localTime.definition.name)
        assert.ok(!kept, `${mode}() still offers the model's own tool.`)
      }),
  },
  {
    name: 'without tools in the prompt the model offers its own',
    turns: [ANSWER],
    defaults: { tools: [localTime] },
    check: (trial) =>
      eachRequest(trial, { messages }, (body, mode) => {
        const offered = body.includes(localTime.definition.name)
        assert.ok(offered, `${mode}() does not offer the model's own tool.`)
      }),
  },
  {
    name: 'a conversation with calls and results is sent whole and in order',
    turns: [ANSWER],
    check: (trial) =>
      eachRequest(trial, { ...PROMPT, messages: CONVERSATION }, (body, mode) => {
        const places = IN_ORDER.map((text) => body.indexOf(text))
        const missing = IN_ORDER.find((_text, index) => places[index] === -1)
        assert.equal(missing, undefined, `${mode}() does not send "${missing}".`)
        const sorted = places.toSorted((a, b) => a - b)
        assert.deepEqual(places, sorted, `${mode}() sends the messages in another order.`)
        assert.ok(body.includes('system-words'), `${mode}() does not send the system message.`)
      }),
  },
  ...MODES.map((mode): ModelCase => ({
    name: `${mode}: a tool name nobody knows is an error before anything is sent`,
    turns: [ANSWER],
    async check(trial) {
      const prompt = { messages, options: { toolNames: ['nobody_knows'] } }
      const work = asked(mode, await trial.model(), { prompt })
      const error = await trial.rejection(mode, work)
      const code = ToolwrightError.is(error) ? error.code : error
      assert.equal(code, 'unknown-tool-name', 'It rejects with another error.')
      assert.equal(trial.sent().length, 0, 'It sent the request all the same.')
    },
  })),
]

const CONVERSATION: readonly Message[] = [
  { role: 'system', content: 'system-words' },
  { role: 'user', content: 'first-question' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'first-thoughts' },
      { type: 'tool-call', id: 'call_one', name: 'weather', arguments: '{"city":"Paris"}' },
      { type: 'tool-call', id: 'call_two', name: 'local_time', arguments: '{}' },
    ],
  },
  {
    role: 'tool',
    responses: [
      { id: 'call_one', name: 'weather', content: 'result-one' },
      { id: 'call_two', name: 'local_time', content: 'result-two', isError: true },
    ],
  },
  { role: 'assistant', content: 'first-answer' },
  { role: 'user', content: 'second-question' },
]

const IN_ORDER = [
  'first-question',
  'first-thoughts',
  'Paris',
  'result-one',
  'result-two',
  'first-answer',
  'second-question',
]
