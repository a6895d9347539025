/** What leaves with content switched off, which is nothing; and what leaves with it on. */
import { diag, DiagLogLevel } from '@opentelemetry/api'
import { codeMode } from '@toolwright/code-mode'
import { otelObserver } from '@toolwright/otel'
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  chatMemoryAdvisor,
  clientTool,
  messageWindowMemory,
  textOf,
  tool,
  type ChatClientOptions,
} from 'toolwright'
import { agentRegistry, runAgent } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import { keywordToolIndex, toolSearchAdvisor } from 'toolwright/tool-search'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { Ledger, Life } from '../e2e/durable-life.ts'
import { telemetry } from './telemetry.ts'

const seen = telemetry()
/** In every prompt, answer, argument, result, error, question, decision, context value and schema. */
const CANARY = 'canary-7f3a'
const says = (what: string): string => `${what} ${CANARY}`
/** A model names its calls, and this name leaves. */
const CALL_ID = 'made-up-id-5b'

const echo = tool({
  name: 'echo',
  description: 'Says it again',
  input: { type: 'object', properties: { say: { type: 'string' } } },
  execute: ({ say }) => `${String(say)} again`,
})
const boom = tool({
  name: 'boom',
  execute() {
    const error = new Error(says('failed'))
    error.name = says('Name')
    throw error
  },
})
/** Its first try fails, which is an event with words. */
function flaky() {
  let tries = 0
  return tool({
    name: 'flaky',
    effect: 'read',
    retry: { attempts: 2, delayMs: 1 },
    execute() {
      tries += 1
      if (tries === 1) throw new Error(says('not yet'))
    },
  })
}
const pay = tool({
  name: 'pay',
  approval: () => says('reason') as never,
  execute: () => says('paid'),
})
const ask = tool({ name: 'ask', execute: (_: unknown, context) => context.suspend(says('which')) })

type Mode = 'call' | 'stream'

/** An agent that is called a tool of, and asked in words of the context. */
async function agentRun(options: ChatClientOptions): Promise<void> {
  const registry = agentRegistry()
  registry.activity('note', () => says('noted'))
  const note = { type: 'object' as const, properties: { text: { type: 'string' as const } } }
  const calls = [{ _tool: 'note', text: says('to note') }]
  const model = scriptedModel([
    JSON.stringify({ meta: {}, calls, output: null }),
    JSON.stringify({ meta: {}, calls: [], output: { sum: says('solution') } }),
  ])
  await runAgent(
    { model, registry, ...options },
    { type: 'object', properties: { sum: { type: 'string', description: says('wanted') } } },
    [
      { type: 'tool', tool: { note } },
      { type: 'text', text: says('context') },
    ],
  )
}

async function searchingRun(mode: Mode, options: ChatClientOptions): Promise<void> {
  const queries = ['echo', says('query')]
  const script = [
    { toolCalls: [{ name: 'toolSearchTool', arguments: { queries } }] },
    { toolCalls: [{ name: 'echo', arguments: { say: says('found') } }] },
    says('searched'),
  ]
  await ChatClient.create(scriptedModel(script), {
    ...options,
    tools: [echo, pay],
    advisors: [toolSearchAdvisor({ index: keywordToolIndex() })],
  })
    .prompt(says('search'))
    [mode]()
    .result()
}

/** A program that computes, writes to its console, calls tools that work, fail and wait, and is resumed. */
async function programRun(mode: Mode, options: ChatClientOptions): Promise<void> {
  const code = `
    console.log(${JSON.stringify(says('printed'))})
    const got = await tools.echo({ say: ${JSON.stringify(says('called'))} })
    const lost = await tools.boom({}).catch((error) => error.message)
    return { got, lost, paid: await tools.pay({}), own: ${JSON.stringify(says('computed'))} }`
  const script = [{ toolCalls: [{ name: 'runProgram', arguments: { code } }] }, says('programmed')]
  const client = ChatClient.create(scriptedModel(script), {
    ...options,
    stateSecret: 'a secret of sixteen',
    tools: [codeMode({ tools: [echo, boom, pay] })],
  })
  const { state } = await client.prompt(says('program'))[mode]().result()
  await client.resume(state!, { 'call_1/2': 'approve' })[mode]().result()
}

/** Everything that a run can hold, twice suspended, with a client inside, failures and refusals. Gives what it asked. */
async function busyRun(mode: Mode, content: boolean): Promise<unknown> {
  seen.reset()
  const options = (): ChatClientOptions => ({ observer: otelObserver({ content }) })
  await agentRun(options())
  await searchingRun(mode, options())
  await programRun(mode, options())
  const memory = messageWindowMemory()
  await memory.add('c-1', [{ role: 'user', content: says('remembered') }])
  const inner = ChatClient.create(
    scriptedModel([
      {
        parts: [
          { type: 'reasoning', text: says('thinking') },
          { type: 'text', text: says('inner answer') },
        ],
      },
    ]),
    options(),
  )
  const nested = clientTool(inner, { name: 'nested', description: 'Asks another' })
  const script = [
    {
      toolCalls: [
        { id: CALL_ID, name: 'echo', arguments: { say: says('argument') } },
        { name: 'boom' },
        { name: `made-up-${CANARY}`, arguments: { x: CANARY } },
        { name: 'echo', rawArguments: `{"say": ${CANARY}` },
        { name: 'nested', arguments: { prompt: CANARY } },
        { name: 'flaky' },
        { name: 'pay' },
        { name: 'ask' },
      ],
    },
    { error: new Error(says('provider said')) },
  ]
  const client = ChatClient.create(scriptedModel(script as never), {
    ...options(),
    stateSecret: 'a secret of sixteen',
    advisors: [chatMemoryAdvisor(memory)],
    tools: [echo, boom, flaky(), nested, pay, ask],
    toolContext: { user: CANARY },
    system: says('system'),
    options: {
      stopSequences: [CANARY],
      outputSchema: { type: 'object', description: CANARY },
      providerOptions: { scripted: { user: CANARY } },
    } as never,
  })
  const request = client.prompt(says('prompt')).conversation('c-1').param('who', CANARY)
  const result = await request[mode]().result()
  const decisions = Object.fromEntries(
    result.pending!.map(({ callId, kind }) => [
      callId,
      kind === 'approval' ? { deny: says('denial') } : { answer: says('decision') },
    ]),
  )
  const resumed = client.resume(result.state!, decisions as never).conversation('c-1')
  await resumed[mode]()
    .result()
    .catch(() => undefined)
  return result.pending
}

describe('content', () => {
  for (const mode of ['call', 'stream'] as const) {
    it(`switched off, nothing that anybody said is in the export: ${mode}`, async () => {
      await busyRun(mode, false)
      const text = await seen.everything()
      // The run was as busy as it should be.
      expect(seen.finished().length).toBeGreaterThan(8)
      for (const code of ['tool-execution', 'unknown-tool', 'tool-input', 'denied'])
        expect(text).toContain(`"error.type":"${code}"`)
      for (const name of [
        'execute_tool note',
        'execute_tool toolSearchTool',
        'execute_tool nested',
        'execute_tool runProgram',
      ])
        expect(seen.outline().map((line) => line.trim())).toContain(name)
      expect(text).not.toContain('canary')
      // Of what a model makes up, the ids of its calls leave: as such, and nowhere else.
      const id = `"gen_ai.tool.call.id":"${CALL_ID}"`
      expect(text).toContain(id)
      expect(text.replaceAll(id, '')).not.toContain(CALL_ID)
    })

    it(`switched off, the name that a model's error was given is not either: ${mode}`, async () => {
      seen.reset()
      const error = Object.assign(new RangeError('gone'), { name: CANARY })
      const client = ChatClient.create(scriptedModel([{ error }]), { observer: otelObserver() })
      await expect(client.prompt('Go')[mode]().result()).rejects.toThrow('gone')
      const text = await seen.everything()
      expect(text).toContain('"error.type":"RangeError"')
      expect(text).not.toContain('canary')
    })

    it(`switched on, all but the context, questions and the provider's options is there: ${mode}`, async () => {
      const asked = await busyRun(mode, true)
      const text = await seen.everything()
      for (const what of [
        'prompt',
        'system',
        'remembered',
        'argument',
        'inner answer',
        'failed',
        'thinking',
        'not yet',
        'denial',
        'decision',
        'provider said',
        'context',
        'to note',
        'noted',
        'wanted',
        'solution',
        'query',
        'found',
        'searched',
        'called',
        'computed',
        'paid',
        'programmed',
      ])
        expect(text, what).toContain(says(what))
      const values = (name: string): string =>
        seen
          .finished()
          .map(({ attributes }) => attributes[name])
          .join()
      for (const what of ['argument', 'to note', 'query', 'found'])
        expect(values('gen_ai.tool.call.arguments'), what).toContain(says(what))
      for (const what of [
        `${says('argument')} again`,
        ...['noted', 'denial', 'decision'].map(says),
      ])
        expect(values('gen_ai.tool.call.result')).toContain(what)
      // A tool's question goes to whoever decides, and into no span.
      expect(JSON.stringify(asked)).toContain(says('which'))
      expect(text).not.toContain(says('which'))
      expect(text).not.toContain(`"user":"${CANARY}`)
    })
  }

  it('has the shape of the conventions, redacted', async () => {
    seen.reset()
    const model = scriptedModel([
      {
        text: 'Let me see.',
        toolCalls: [{ name: 'echo', arguments: { say: 'hi', apiKey: 'abcdefgh1234' } }],
      },
      'Done, with Bearer abcdefghijkl.',
    ])
    const loose = tool({
      name: 'echo',
      input: { type: 'object', additionalProperties: true },
      execute: () => [{ type: 'image' as const, mediaType: 'image/png', data: 'AAAA' }],
    })
    await ChatClient.create(model, {
      observer: otelObserver({ content: true }),
      system: 'Be brief.',
    })
      .prompt('Say hi')
      .tools(loose)
      .call()
      .content()
    const [run] = seen.trees()
    const [, call, second] = run!.children!
    const json = (name: string, of = second!): unknown => JSON.parse(String(of.attributes[name]))
    expect(json('gen_ai.system_instructions')).toEqual([{ type: 'text', content: 'Be brief.' }])
    const asked = { type: 'tool_call', id: 'call_1', name: 'echo' }
    expect(json('gen_ai.input.messages')).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'Say hi' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'Let me see.' },
          { ...asked, arguments: { say: 'hi', apiKey: '[redacted]' } },
        ],
      },
      {
        role: 'tool',
        parts: [
          {
            type: 'tool_call_response',
            id: 'call_1',
            response: '[{"type":"image","mime_type":"image/png"}]',
          },
        ],
      },
    ])
    expect(json('gen_ai.output.messages')).toEqual([
      {
        role: 'assistant',
        parts: [{ type: 'text', content: 'Done, with [redacted]' }],
        finish_reason: 'stop',
      },
    ])
    expect(call!.attributes['gen_ai.tool.call.arguments']).toBe(
      '{"say":"hi","apiKey":"[redacted]"}',
    )
    expect(call!.attributes['gen_ai.tool.call.result']).toBe(
      '[{"type":"image","mime_type":"image/png"}]',
    )
    expect(run!.attributes['gen_ai.output.messages']).toBe(
      second!.attributes['gen_ai.output.messages'],
    )
  })

  for (const mode of ['call', 'stream'] as const)
    it(`holds what the model was sent: a mended history, and the schema that is asked for by words: ${mode}`, async () => {
      seen.reset()
      const model = scriptedModel(['{"sum":3}'])
      const history = [
        { role: 'user' as const, content: 'Look' },
        {
          role: 'assistant' as const,
          content: [{ type: 'tool-call' as const, id: 'lost', name: 'look', arguments: '{}' }],
        },
        { role: 'user' as const, content: 'Add' },
      ]
      await ChatClient.create(model, {
        observer: otelObserver({ content: true }),
        system: 'Be brief.',
      })
        .prompt(history)
        .options({ outputSchema: { type: 'object', properties: { sum: { type: 'number' } } } })
        [mode]()
        .result()
      const [chat] = seen.trees()[0]!.children!
      const [, , , answer, asked] = model.prompts[0]!.messages
      // What the library put in: the answer to the lost call, and the words about the schema.
      const { responses } = answer as Extract<typeof answer, { role: 'tool' }>
      expect(JSON.parse(String(chat!.attributes['gen_ai.input.messages']))).toEqual([
        { role: 'user', parts: [{ type: 'text', content: 'Look' }] },
        {
          role: 'assistant',
          parts: [{ type: 'tool_call', id: 'lost', name: 'look', arguments: {} }],
        },
        {
          role: 'tool',
          parts: [{ type: 'tool_call_response', id: 'lost', response: responses[0]!.content }],
        },
        { role: 'user', parts: [{ type: 'text', content: textOf(asked!) }] },
      ])
      expect(textOf(asked!)).toContain('must be JSON that fits this schema')
      expect(JSON.parse(String(chat!.attributes['gen_ai.system_instructions']))).toEqual([
        { type: 'text', content: 'Be brief.' },
      ])
    })

  it('holds what was to be sent where a durable run replays its answer, because no model is asked', async () => {
    const ledger = new Ledger()
    for (const answers of [['Hi.'], []]) {
      seen.reset()
      await ChatClient.create(scriptedModel(answers), {
        ids: countingIds(),
        durability: new Life(ledger),
        observer: otelObserver({ content: true }),
      })
        .prompt('Hello')
        .call()
        .content()
      const [chat] = seen.trees()[0]!.children!
      expect(chat!.attributes['gen_ai.input.messages']).toBe(
        '[{"role":"user","parts":[{"type":"text","content":"Hello"}]}]',
      )
    }
  })

  it('of gigantic values only the beginning, of long conversations the newest messages', async () => {
    seen.reset()
    const huge = 'x'.repeat(5_000_000)
    const model = scriptedModel([
      { toolCalls: [{ name: 'echo', arguments: { say: 'a' } }] },
      'Done.',
    ])
    const big = tool({
      name: 'echo',
      input: { type: 'object', additionalProperties: true },
      returnDirect: true,
      execute: () => huge,
    })
    const history = Array.from({ length: 2000 }, (_, index) => ({
      role: 'user' as const,
      content: `message ${index} ${'y'.repeat(100)}`,
    }))
    await ChatClient.create(model, { observer: otelObserver({ content: true }) })
      .prompt(history)
      .tools(big)
      .call()
      .content()
    for (const { attributes } of seen.finished())
      for (const value of Object.values(attributes))
        expect(String(value).length).toBeLessThan(80_000)
    const [chat, call] = seen.trees()[0]!.children!
    const messages = JSON.parse(String(chat!.attributes['gen_ai.input.messages'])) as unknown[]
    expect(JSON.stringify(messages.at(-1))).toContain('message 1999')
    expect(messages.length).toBeLessThan(2000)
    const left = 2000 - (messages.length - 1)
    expect(messages[0]).toEqual({
      role: 'system',
      parts: [{ type: 'text', content: `… [${left} earlier messages left out]` }],
    })
    expect(JSON.stringify(messages[1])).toContain(`message ${left} `)
    expect(String(call!.attributes['gen_ai.tool.call.result'])).toMatch(/characters left out\]$/)
  })

  it('of many parts, results and instructions the first', async () => {
    seen.reset()
    const big = tool({ name: 'big', execute: () => 'x'.repeat(60_000) })
    const part = { type: 'text' as const, text: 'y'.repeat(20_000) }
    const model = scriptedModel([
      { toolCalls: Array.from({ length: 20 }, () => ({ name: 'big' })) },
      { parts: Array.from({ length: 50 }, () => part) },
    ])
    const system = { role: 'system' as const, content: 'z'.repeat(20_000) }
    await ChatClient.create(model, { observer: otelObserver({ content: true }) })
      .prompt([...Array.from({ length: 20 }, () => system), { role: 'user', content: 'Go' }])
      .tools(big)
      .limits({ identicalCalls: 'unlimited' })
      .call()
      .content()
    const sizes = seen.finished().flatMap(({ attributes }) => Object.values(attributes).map(String))
    expect(Math.max(...sizes.map(({ length }) => length))).toBeLessThan(80_000)
    const second = seen.trees()[0]!.children!.at(-1)!
    expect(JSON.parse(String(second.attributes['gen_ai.output.messages']))).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: part.text },
          { type: 'text', content: '… [49 left out]' },
        ],
        finish_reason: 'stop',
      },
    ])
    expect(second.attributes['gen_ai.system_instructions']).toContain('… [19 left out]')
    expect(second.attributes['gen_ai.input.messages']).toContain('… [19 left out]')
  })

  it('switched on is warned of, switched off is not', () => {
    const warnings: string[] = []
    const silent = (): void => {}
    const warn = (message: string): void => void warnings.push(message)
    diag.setLogger(
      { error: silent, warn, info: silent, debug: silent, verbose: silent },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    )
    otelObserver()
    expect(warnings).toEqual([])
    otelObserver({ content: true })
    expect(warnings).toEqual([expect.stringContaining('records prompts, answers, arguments')])
    diag.disable()
  })

  it('is refused unless it is true or false, like other wrong options', () => {
    expect(() => otelObserver({ content: 'yes' as never })).toThrow('content takes true or false')
    expect(() => otelObserver({ inferenceNames: 'new' as never })).toThrow(
      "'operation' or 'inference'",
    )
    expect(() => otelObserver({ agentName: '' })).toThrow('agentName takes a text')
    expect(() => otelObserver({ contents: true } as never)).toThrow('has no option "contents"')
  })
})
