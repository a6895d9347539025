/** What becomes of each thing that a run can do, in both protocols, with runs that are called and streamed. */
import {
  ChatClient,
  clientTool,
  inMemoryRunStore,
  tool,
  type ChatClientOptions,
  type ChatEvent,
} from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { toAgUiStream, toUiMessageStream, type PageStreamOptions } from 'toolwright/ui'
import { describe, expect, it } from 'vitest'
import type { Mode } from '../e2e/scenario.ts'
import { asks, fanOut } from '../e2e/composite/program.ts'
import { eventsIn } from './ag-ui-keys.ts'
import { chatServer } from './chat-server.ts'
import { chunksIn, type Chunk } from './chunk-keys.ts'
import { eventually } from './eventually.ts'
import { serveInTest } from './serve-in-test.ts'
import { AI_SDKS } from './use-chat-clients.ts'

const serve = serveInTest()

interface Told {
  readonly chunks: readonly Chunk[]
  readonly events: readonly Chunk[]
}

interface Asking {
  readonly mode: Mode
  readonly client?: ChatClientOptions
  readonly options?: PageStreamOptions
  readonly signal?: AbortSignal
}

/** The same conversation in both protocols. */
async function told(script: readonly ScriptedStep[], asking: Asking): Promise<Told> {
  const { mode, client, options, signal } = asking
  const run = () => {
    const request = ChatClient.create(scriptedModel(script), client).prompt('Hi')
    return (signal ? request.signal(signal) : request)[mode]()
  }
  const names = { threadId: 't', runId: 'r' }
  return {
    chunks: chunksIn(await toUiMessageStream(run(), options).text()),
    events: eventsIn(await toAgUiStream(run(), { ...names, ...options }).text()),
  }
}

const of = (list: readonly Chunk[], ...types: readonly string[]): readonly Chunk[] =>
  list.filter(({ type }) => types.includes(type))
/** All text of a kind, joined. */
const joined = (list: readonly Chunk[], type: string): string =>
  of(list, type)
    .map(({ delta }) => delta as string)
    .join('')

const PNG = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const

describe.each(['call', 'stream'] as const)('%s', (mode) => {
  it('files of an answer', async () => {
    const { chunks, events } = await told([{ parts: [{ type: 'text', text: 'See' }, PNG] }], {
      mode,
    })
    const url = 'data:image/png;base64,iVBORw0KGgo='
    expect(of(chunks, 'file')).toEqual([{ type: 'file', url, mediaType: 'image/png' }])
    expect(of(events, 'CUSTOM')).toEqual([
      { type: 'CUSTOM', name: 'file', value: { url, mediaType: 'image/png' } },
    ])
  })

  const searching: readonly ScriptedStep[] = [
    {
      parts: [
        { type: 'reasoning', text: 'Hm.', providerData: { signature: 'sealed' } },
        { type: 'provider', kind: 'web_search', data: { query: 'weather' } },
        { type: 'text', text: 'Rain.' },
      ],
    },
  ]

  it('what the provider did itself stays on the server', async () => {
    const { chunks, events } = await told(searching, { mode })
    expect(JSON.stringify([chunks, events])).not.toMatch(/web_search|sealed/)
  })

  it('what the provider did itself is sent, if it is to', async () => {
    const options = { providerParts: true }
    const { chunks, events } = await told(searching, { mode, options })
    const item = { kind: 'web_search', data: { query: 'weather' } }
    expect(of(chunks, 'custom')).toEqual([
      {
        type: 'custom',
        kind: 'toolwright.web_search',
        providerMetadata: { toolwright: item },
      },
    ])
    expect(of(events, 'CUSTOM')).toEqual([{ type: 'CUSTOM', name: 'provider', value: item }])
    const [thought] = of(events, 'REASONING_START')
    expect(of(events, 'REASONING_ENCRYPTED_VALUE')).toMatchObject([
      { entityId: thought!['messageId'], encryptedValue: '{"signature":"sealed"}' },
    ])
  })

  it('reasoning is sent once, or not at all', async () => {
    const { chunks, events } = await told(searching, { mode })
    expect(joined(chunks, 'reasoning-delta')).toBe('Hm.')
    expect(joined(events, 'REASONING_MESSAGE_CONTENT')).toBe('Hm.')
    const without = await told(searching, {
      mode,
      options: { reasoning: false, providerParts: true },
    })
    expect(JSON.stringify(without)).not.toContain('Hm.')
    expect(joined(without.chunks, 'text-delta')).toBe('Rain.')
  })

  const direct = tool({ name: 'direct', returnDirect: true, execute: () => 'The answer itself.' })

  it('direct results are the text of the answer', async () => {
    const script = [{ toolCalls: [{ name: 'direct' }] }]
    const { chunks, events } = await told(script, { mode, client: { tools: [direct] } })
    expect(joined(chunks, 'text-delta')).toBe('The answer itself.')
    expect(joined(events, 'TEXT_MESSAGE_CONTENT')).toBe('The answer itself.')
    expect(chunks.at(-1)).toMatchObject({
      finishReason: 'stop',
      messageMetadata: { finishReason: 'return-direct' },
    })
  })

  it('private results and progress are not told, also not direct ones', async () => {
    const secret = tool({
      name: 'secret',
      labels: { reads: 'private' },
      returnDirect: true,
      async *execute() {
        yield 'hunter1'
        return 'hunter2'
      },
    })
    const client = { tools: [secret] }
    const { chunks, events } = await told([{ toolCalls: [{ name: 'secret' }] }], { mode, client })
    expect(JSON.stringify([chunks, events])).not.toContain('hunter')
    expect(of(chunks, 'tool-output-available')).toMatchObject([{ output: null }])
    expect(of(events, 'TOOL_CALL_RESULT')).toMatchObject([{ content: '' }])
  })

  const breaking = tool({
    name: 'breaking',
    execute(): never {
      throw new Error('No room at the inn.')
    },
  })
  const toBreak: readonly ScriptedStep[] = [{ toolCalls: [{ name: 'breaking' }] }, 'Well.']

  it('errors of tools are masked, or shown without secrets', async () => {
    const client = { tools: [breaking] }
    const { chunks, events } = await told(toBreak, { mode, client })
    expect(JSON.stringify([chunks, events])).not.toContain('No room')
    const shown = await told(toBreak, { mode, client, options: { showErrors: true } })
    expect(of(shown.chunks, 'tool-output-error')).toMatchObject([
      { errorText: 'No room at the inn.' },
    ])
    expect(of(shown.events, 'TOOL_CALL_RESULT')).toMatchObject([
      { content: 'No room at the inn.', metadata: { isError: true } },
    ])
  })

  it('a run that fails says that it did, and the program hears why', async () => {
    const errors: unknown[] = []
    const failing = [{ text: 'I beg', error: new Error('api_key=sk-123456789 is wrong') }]
    const onError = (error: unknown): void => void errors.push(error)
    const { chunks, events } = await told(failing, { mode, options: { onError } })
    expect(chunks.at(-1)).toEqual({ type: 'error', errorText: 'The run failed.' })
    expect(events.at(-1)).toEqual({
      type: 'RUN_ERROR',
      message: 'The run failed.',
      code: 'run-failed',
    })
    expect(errors).toHaveLength(2)
    const shown = await told(failing, { mode, options: { showErrors: true } })
    expect(shown.chunks.at(-1)!['errorText']).toMatch(/^api_key=\[redacted\]/)
  })

  it('an abort is told as one', async () => {
    const aborted = { mode, signal: AbortSignal.abort() }
    const { chunks, events } = await told(['Never said.'], aborted)
    expect(chunks.at(-1)).toEqual({ type: 'abort' })
    expect(events.at(-1)).toMatchObject({ outcome: { type: 'cancelled' } })
  })

  it('a limit is told as one', async () => {
    const again = Array.from({ length: 3 }, () => ({ toolCalls: [{ name: 'breaking' }] }))
    const client = { tools: [breaking], limits: { rounds: 2 } }
    const { chunks } = await told(again, { mode, client })
    expect(chunks.at(-1)).toMatchObject({
      finishReason: 'other',
      messageMetadata: { finishReason: 'limit' },
    })
  })

  it('notices are told in passing', async () => {
    const { chunks, events } = await told([''], { mode })
    expect(of(chunks, 'data-notice')).toMatchObject([
      { data: { code: 'empty-answer' }, transient: true },
    ])
    expect(of(events, 'CUSTOM')).toMatchObject([
      { name: 'notice', value: { code: 'empty-answer' } },
    ])
  })

  it('arguments that are no JSON are shown as they came', async () => {
    const script = [{ toolCalls: [{ name: 'breaking', rawArguments: '{"half":' }] }, 'Well.']
    const { chunks, events } = await told(script, { mode, client: { tools: [breaking] } })
    expect(of(chunks, 'tool-input-available')).toMatchObject([{ input: '{"half":' }])
    expect(of(chunks, 'tool-output-error')).toHaveLength(1)
    expect(joined(events, 'TOOL_CALL_ARGS')).toBe('{"half":')
  })

  it('two calls of one id are two calls', async () => {
    const calls = ['a', 'b'].map((word) => ({ name: 'say', id: 'same', arguments: { word } }))
    const say = tool({
      name: 'say',
      input: { type: 'object', properties: { word: { type: 'string' } } },
      execute: ({ word }) => word,
    })
    const { chunks } = await told([{ toolCalls: calls }, 'Said.'], {
      mode,
      client: { tools: [say] },
    })
    const outputs = of(chunks, 'tool-output-available')
    expect(outputs.map(({ output }) => output)).toEqual(['a', 'b'])
    const known = new Set(of(chunks, 'tool-input-available').map(({ toolCallId }) => toolCallId))
    expect(outputs.filter(({ toolCallId }) => !known.has(toolCallId))).toEqual([])
  })

  it('a program says what a page reads of results', async () => {
    const odd = tool({ name: 'odd', execute: () => ({ big: 1n, id: 7, secret: 'hunter2' }) })
    const options: PageStreamOptions = {
      output: ({ value }) => ({ id: (value as { id: number }).id }),
    }
    const script = [{ toolCalls: [{ name: 'odd' }] }, 'Well.']
    const { chunks, events } = await told(script, { mode, client: { tools: [odd] }, options })
    expect(of(chunks, 'tool-output-available')).toMatchObject([{ output: { id: 7 } }])
    expect(of(events, 'TOOL_CALL_RESULT')).toMatchObject([{ content: '{"id":7}' }])
  })

  it('an output function that throws ends the run, and says nothing', async () => {
    const after: string[] = []
    const late = tool({ name: 'late', execute: () => void after.push('ran') })
    const script = [{ toolCalls: [{ name: 'late' }] }, { toolCalls: [{ name: 'late' }] }, 'Well.']
    const options: PageStreamOptions = {
      output() {
        throw new Error('hunter2')
      },
    }
    const { chunks } = await told(script, { mode, client: { tools: [late] }, options })
    expect(chunks.at(-1)).toEqual({ type: 'error', errorText: 'The run failed.' })
  })

  it('images that a tool returns are seen as such', async () => {
    const paint = tool({ name: 'paint', execute: () => PNG })
    const script = [{ toolCalls: [{ name: 'paint' }] }, 'Painted.']
    const { chunks, events } = await told(script, { mode, client: { tools: [paint] } })
    expect(of(chunks, 'tool-output-available')).toMatchObject([{ output: [PNG] }])
    const source = { type: 'data', value: PNG.data, mimeType: 'image/png' }
    expect(of(events, 'TOOL_CALL_RESULT')).toMatchObject([{ content: [{ type: 'image', source }] }])
  })

  describe('inside of tools', () => {
    const inside = () => {
      const now = tool({ name: 'now', execute: () => '12:00' })
      const script = [{ text: 'I ask.', toolCalls: [{ name: 'now' }] }, 'It is noon.']
      const inner = ChatClient.create(scriptedModel([...script, ...script]), { tools: [now] })
      return { tools: [clientTool(inner, { name: 'clerk', description: 'Knows the time' })] }
    }
    const script = [
      { toolCalls: [{ name: 'clerk', id: 'k1', arguments: { prompt: 'When?' } }] },
      'Noon, says the clerk.',
    ]

    it('nothing is told', async () => {
      const { chunks, events } = await told(script, { mode, client: inside() })
      expect(JSON.stringify([chunks, events])).not.toMatch(/I ask|"now"/)
      expect(of(chunks, 'tool-output-available')).toMatchObject([{ output: 'It is noon.' }])
    })

    it('everything is told, if it is to be', async () => {
      const options = { nested: true }
      const { chunks } = await told(script, { mode, client: inside(), options })
      const outputs = of(chunks, 'tool-output-available')
      expect(outputs.filter(({ preliminary }) => preliminary).at(-1)).toMatchObject({
        toolCallId: 'k1',
        output: { text: 'It is noon.', calls: [{ toolName: 'now', state: 'done' }] },
      })
      expect(outputs.at(-1)).toMatchObject({ toolCallId: 'k1', output: 'It is noon.' })
    })

    describe('whose ids are those of the calls around them', () => {
      const twoDeep = () => {
        const secret = tool({ name: 'secret', execute: () => 'SECRET' })
        const innermost = [{ toolCalls: [{ name: 'secret', id: 'call_0' }] }, 'Innermost is done.']
        const spy = ChatClient.create(scriptedModel([...innermost, ...innermost]), {
          tools: [secret],
        })
        const asksSpy = [
          { toolCalls: [{ name: 'spy', id: 'call_0', arguments: { prompt: 'What?' } }] },
          'Inner is done.',
        ]
        const clerk = ChatClient.create(scriptedModel([...asksSpy, ...asksSpy]), {
          tools: [clientTool(spy, { name: 'spy', description: 'Finds out' })],
        })
        return { tools: [clientTool(clerk, { name: 'clerk', description: 'Asks' })] }
      }
      const outer = [
        { toolCalls: [{ name: 'clerk', id: 'call_0', arguments: { prompt: 'When?' } }] },
        'Done.',
      ]

      it('nothing is told', async () => {
        const { chunks, events } = await told(outer, { mode, client: twoDeep() })
        expect(JSON.stringify([chunks, events])).not.toMatch(/SECRET|Innermost/)
        expect(of(chunks, 'tool-output-available')).toMatchObject([{ output: 'Inner is done.' }])
        expect(of(events, 'TOOL_CALL_RESULT')).toMatchObject([{ content: 'Inner is done.' }])
      })

      it('each is told where it belongs, if everything is to be', async () => {
        const options = { nested: true }
        const { chunks, events } = await told(outer, { mode, client: twoDeep(), options })
        const finals = of(chunks, 'tool-output-available').filter((each) => !each['preliminary'])
        expect(finals).toMatchObject([{ toolCallId: 'call_0', output: 'Inner is done.' }])
        const [first, second] = of(events, 'SUBAGENT_STARTED').map((each) => each['subagentRunId'])
        expect(of(events, 'SUBAGENT_STARTED')).toMatchObject([
          { name: 'clerk', parentToolCallId: 'call_0' },
          { name: 'spy', parentToolCallId: 'call_0', parentSubagentRunId: first },
        ])
        expect(of(events, 'TOOL_CALL_RESULT')).toMatchObject([
          { content: 'SECRET', subagentRunId: second },
          { content: 'Innermost is done.', subagentRunId: first },
          { content: 'Inner is done.' },
        ])
        expect(of(events, 'SUBAGENT_FINISHED')).toMatchObject([
          { subagentRunId: second },
          { subagentRunId: first },
        ])
      })
    })
  })

  it.each(AI_SDKS)('a call that a tool made is approved in the page of $version', async (sdk) => {
    const paid: string[] = []
    const runStore = inMemoryRunStore()
    const pay = tool({
      name: 'pay',
      approval: true,
      execute: () => {
        paid.push('paid')
        return 'paid'
      },
    })
    const model = scriptedModel([asks('pay', 'pay'), 'Done.'])
    const client = ChatClient.create(model, { tools: [fanOut([pay])], runStore })
    const server = await serve(chatServer({ client, runStore }, { mode }))
    const chat = sdk.chat({ url: server.url, sends: 'approvals' })
    await chat.sendMessage({ text: 'Pay twice' })
    expect(chat.error).toBeUndefined()
    const asked = chat.messages[1]!.parts.filter(({ state }) => state === 'approval-requested')
    expect(asked.map(({ toolCallId }) => toolCallId)).toEqual(['p/0', 'p/1'])
    await chat.addToolApprovalResponse({ id: 'p/0', approved: true })
    await chat.addToolApprovalResponse({ id: 'p/1', approved: false })
    await eventually(() => `${chat.status} ${model.remaining}`).toBe('ready 0')
    const states = chat.messages[1]!.parts.map(({ toolCallId, state }) => `${toolCallId} ${state}`)
    expect(states).toContain('p/0 output-available')
    expect(states).toContain('p/1 output-denied')
    expect(states).toContain('p output-available')
    expect(paid).toEqual(['paid'])
    for (const chunk of server.sent.flatMap(chunksIn)) await sdk.checkChunk(chunk)
    await sdk.checkMessages(chat.messages)
  })
})

describe('options', () => {
  const run = () =>
    ChatClient.create(scriptedModel(['Hi.']))
      .prompt('Hi')
      .stream()

  it('that are wrong are refused', async () => {
    expect(() => toUiMessageStream(run(), { onleave: 'abort' } as never)).toThrow(/onLeave/)
    expect(() => toUiMessageStream(run(), { onLeave: 'stay' } as never)).toThrow(/'abort' or/)
    expect(() => toUiMessageStream('run' as never)).toThrow(/no run/)
    expect(() => toAgUiStream(run(), {} as never)).toThrow(/threadId and runId/)
  })

  it('name the message and add headers', async () => {
    const response = toUiMessageStream(run(), { messageId: 'm-7', headers: { 'x-own': '1' } })
    expect(chunksIn(await response.text())[0]).toEqual({ type: 'start', messageId: 'm-7' })
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-own': '1',
    })
  })

  it('are not needed to stream events of any origin, also unknown ones', async () => {
    async function* events(): AsyncGenerator<ChatEvent> {
      yield { type: 'text-delta', text: 'Hi.', round: 1 }
      yield { type: 'output-delta' } as never
    }
    const chunks = chunksIn(await toUiMessageStream(events()).text())
    expect(chunks.map(({ type }) => type)).toEqual([
      ...['start', 'start-step', 'text-start', 'text-delta'],
    ])
  })
})
