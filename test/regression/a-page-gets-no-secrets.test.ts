/** `toReadableStream()` once sent signed states, the system prompt in them, and raw results of tools to the page. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  clientTool,
  type InnerQuestion,
  ProviderError,
  tool,
  type ChatClientOptions,
  type ChatEvent,
  type PublicEvent,
  type StreamRun,
} from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'

type Line<Type extends PublicEvent['type']> = Extract<PublicEvent, { type: Type }>

/** The lines of a stream; each must be JSON, and the stream must close. */
async function textOfStream(
  run: StreamRun,
  options?: Parameters<StreamRun['toReadableStream']>[0],
): Promise<string> {
  return new Response(run.toReadableStream(options)).text()
}

const parsed = (text: string): readonly PublicEvent[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PublicEvent)

function lineIn<Type extends PublicEvent['type']>(
  lines: readonly PublicEvent[],
  type: Type,
): Line<Type> {
  return lines.find((line): line is Line<Type> => line.type === type)!
}

const asking = (script: readonly ScriptedStep[], options: ChatClientOptions = {}): StreamRun =>
  ChatClient.create(scriptedModel(script), { system: 'SECRET system', ...options })
    .prompt('SECRET question')
    .stream()

/** Its arguments and its raw result are secret; the model reads `seen`. */
const lookUp = tool({
  name: 'lookUp',
  input: { type: 'object', properties: { key: { type: 'string' } } },
  async *execute() {
    yield { percent: 50 }
    return { row: 'SECRET row' }
  },
  resultConverter: () => 'seen',
})
const looks: ScriptedStep = {
  parts: [
    { type: 'reasoning', text: 'Private thought', providerData: { signature: 'SECRET signature' } },
    { type: 'provider', kind: 'web_search', data: { query: 'SECRET search' } },
    { type: 'text', text: 'Looking.' },
    {
      type: 'image',
      mediaType: 'image/png',
      data: 'AAAA',
      providerOptions: { x: { y: 'SECRET' } },
    },
    {
      type: 'tool-call',
      id: 'c1',
      name: 'lookUp',
      arguments: '{"key":"SECRET key"}',
      providerData: 'SECRET data',
    },
  ],
}

describe('the lines of a page', () => {
  it('tell what happens, and nothing that is the program’s', async () => {
    const run = asking([looks, 'Found it.'], {
      tools: [lookUp],
      toolContext: { token: 'SECRET token' },
    })
    const text = await textOfStream(run)
    expect(text).not.toContain('SECRET')
    expect(text).not.toContain('Private thought')
    const lines = parsed(text)
    expect(lineIn(lines, 'tool-call-start')).toMatchObject({ id: 'c1', name: 'lookUp', round: 1 })
    expect(lineIn(lines, 'part').part).toEqual({
      type: 'image',
      mediaType: 'image/png',
      data: 'AAAA',
    })
    const toolCall = { id: 'c1', name: 'lookUp' }
    expect(lineIn(lines, 'tool-execution-start').toolCall).toEqual(toolCall)
    expect(lineIn(lines, 'tool-progress')).toMatchObject({ toolCall, progress: { percent: 50 } })
    expect(lineIn(lines, 'tool-result')).toMatchObject({ toolCall, response: { content: 'seen' } })
    const shown = lines.flatMap((line) => (line.type === 'text-delta' ? line.text : []))
    expect(shown.join('')).toBe('Looking.Found it.')
    expect(lines.at(-1)).toMatchObject({
      type: 'response',
      response: {
        results: [{ message: { role: 'assistant', content: 'Found it.' }, finishReason: 'stop' }],
      },
    })
  })

  it('have reasoning where it is asked for, without its signature', async () => {
    const run = asking([looks, 'Found it.'], { tools: [lookUp] })
    const text = await textOfStream(run, { reasoning: true })
    expect(text).not.toContain('SECRET')
    const thought = parsed(text).flatMap((line) => {
      if (line.type === 'reasoning-delta') return line.text
      return line.type === 'part' && line.part.type === 'reasoning' ? line.part.text : []
    })
    expect(thought.join('')).toContain('Private thought')
  })

  it('have what a run waits for, and no state', async () => {
    const pay = tool({
      name: 'pay',
      input: { type: 'object', properties: { euro: { type: 'number' } } },
      approval: true,
      preview: ({ euro }) => `Pay ${String(euro)} euro`,
      execute: () => 'ok',
    })
    const script = [{ text: 'May I?', toolCalls: [{ name: 'pay', arguments: { euro: 5 } }] }]
    const run = asking(script, { tools: [pay] })
    const text = await textOfStream(run)
    expect(text).not.toMatch(/SECRET|signature|"state"/)
    const suspended = lineIn(parsed(text), 'suspended')
    expect(suspended.pending).toMatchObject([
      { toolName: 'pay', kind: 'approval', input: { euro: 5 }, preview: 'Pay 5 euro' },
    ])
    expect(parsed(text).at(-1)).toMatchObject({
      response: { results: [{ finishReason: 'suspended' }] },
    })
    expect((await run.result()).state).toBeDefined()
  })

  it('have no state of a run inside a tool either', async () => {
    const pay = tool({ name: 'pay', approval: true, execute: () => 'ok' })
    const inner = ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'pay' }] }]), {
      system: 'SECRET inner system',
      tools: [pay],
    })
    const assistant = clientTool(inner, { name: 'assistant', description: 'Pays' })
    const outer = { toolCalls: [{ name: 'assistant', arguments: { prompt: 'Pay' } }] }
    const text = await textOfStream(asking([outer], { tools: [assistant] }))
    expect(text).not.toMatch(/SECRET|signature|"state"/)
    const lines = parsed(text)
    const [pending] = lineIn(lines, 'suspended').pending
    expect(pending).toMatchObject({
      kind: 'question',
      question: { pending: [{ toolName: 'pay' }] },
    })
    expect(lines.some((line) => line.parentCallId !== undefined)).toBe(true)
  })

  it('have nothing of a result that is labelled as private', async () => {
    const inbox = tool({
      name: 'inbox',
      labels: { reads: 'private' },
      execute: () => 'SECRET mail',
    })
    const text = await textOfStream(
      asking([{ toolCalls: [{ name: 'inbox' }] }, 'Read.'], { tools: [inbox] }),
    )
    expect(text).not.toContain('SECRET')
    expect(lineIn(parsed(text), 'tool-result').response).toEqual({})
  })

  it('have a failed call as the model reads it', async () => {
    const broken = tool({
      name: 'broken',
      execute: () => {
        throw new Error('no route')
      },
    })
    const text = await textOfStream(
      asking([{ toolCalls: [{ name: 'broken' }] }, 'Sorry.'], { tools: [broken] }),
    )
    expect(lineIn(parsed(text), 'tool-result').response).toMatchObject({
      content: expect.stringContaining('no route'),
      isError: true,
    })
  })

  it('are whole whatever a tool reports', async () => {
    const circle: Record<string, unknown> = { name: 'circle' }
    circle['self'] = circle
    const unreadable = {
      get bad(): never {
        throw new Error('no')
      },
    }
    const reports = [10n, circle, unreadable, () => {}, Symbol('x'), new Map([['a', 1]]), undefined]
    const busy = tool({
      name: 'busy',
      execute: (_input: unknown, context) => reports.forEach((report) => context.progress(report)),
    })
    const text = await textOfStream(
      asking([{ toolCalls: [{ name: 'busy' }] }, 'Done.'], { tools: [busy] }),
    )
    const told = parsed(text).filter((line) => line.type === 'tool-progress')
    expect(told).toHaveLength(reports.length)
    expect(told[0]).toMatchObject({ progress: '10' })
    expect(told[5]).toMatchObject({ progress: { a: 1 } })
  })

  it('keep a character that came in two pieces', async () => {
    const model = {
      ...scriptedModel([]),
      async *stream(): AsyncGenerator<ChatEvent> {
        yield { type: 'text-delta', text: 'a\ud83d' }
        yield { type: 'text-delta', text: '\ude00\nb' }
        const message = { role: 'assistant' as const, content: 'a\u{1f600}\nb' }
        const results = [{ message, finishReason: 'stop' as const, metadata: { raw: 'SECRET' } }]
        const metadata = { raw: 'SECRET' }
        yield { type: 'response', response: { results, usage: {}, metadata, id: 'SECRET' } }
      },
    }
    const text = await textOfStream(ChatClient.create(model).prompt('Go').stream())
    expect(text).not.toContain('SECRET')
    const pieces = parsed(text).flatMap((line) => (line.type === 'text-delta' ? line.text : []))
    expect(pieces.join('')).toBe('a\u{1f600}\nb')
  })

  it('have none of an event that is not known', async () => {
    const run = ChatClient.create(scriptedModel(['Done.']), {
      advisors: [
        {
          name: 'own events',
          order: 10,
          advise(request, next) {
            request.emit({ type: 'audit', data: 'SECRET' } as never)
            return next(request)
          },
        },
      ],
    })
    expect(await textOfStream(run.prompt('Go').stream())).not.toContain('SECRET')
  })
})

describe('a run that fails', () => {
  const failing = (error: unknown): StreamRun =>
    asking([{ text: 'One.', toolCalls: [{ name: 'lookUp' }] }, { error: error as Error }], {
      tools: [lookUp],
    })

  it('ends with a line that names the error of the catalogue', async () => {
    const key = 'sk-abcdefghijklmnop1234'
    const cause = new Error('SECRET cause')
    const error = new ProviderError('provider-auth', `The key ${key} is wrong.`, {
      provider: 'p',
      body: 'SECRET body',
      cause,
    })
    for (const options of [{}, { full: true }]) {
      const text = await textOfStream(failing(error), options)
      const last = parsed(text).at(-1)!
      expect(last).toEqual({
        type: 'error',
        code: 'provider-auth',
        message: expect.stringMatching(/The key .* is wrong\. Check the API key/),
      })
      expect(text).not.toContain(key)
      expect(JSON.stringify(last)).not.toMatch(/SECRET|stack/)
    }
  })

  it('says nothing of an error that the library does not know', async () => {
    const text = await textOfStream(failing(new RangeError('SECRET table users')))
    expect(parsed(text).at(-1)).toEqual({
      type: 'error',
      code: 'run-failed',
      message: 'The run failed.',
    })
    expect(parsed(text).some((line) => line.type === 'text-delta')).toBe(true)
  })

  it('or only that it was aborted', async () => {
    const abort = new AbortController()
    abort.abort()
    const run = ChatClient.create(scriptedModel(['Never.']))
      .prompt('Go')
      .signal(abort.signal)
      .stream()
    const [only, ...more] = parsed(await textOfStream(run))
    expect(only).toEqual({ type: 'error', code: 'aborted', message: 'The run was aborted.' })
    expect(more).toEqual([])
  })

  it('also when it is refused before anything is sent', async () => {
    const run = ChatClient.create(scriptedModel([])).prompt('Go').toolNames('nobody').stream()
    expect(parsed(await textOfStream(run))).toMatchObject([
      { type: 'error', code: 'unknown-tool-name' },
    ])
  })
})

describe('{ full: true }', () => {
  it('sends everything, for readers that are trusted', async () => {
    const pay = tool({ name: 'pay', approval: true, execute: () => 'ok' })
    const script = [looks, { toolCalls: [{ name: 'pay' }] }]
    const text = await textOfStream(asking(script, { tools: [lookUp, pay] }), { full: true })
    const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line) as ChatEvent) // prettier-ignore
    expect(lines.find((line) => line.type === 'tool-result')).toMatchObject({
      value: { row: 'SECRET row' },
    })
    expect(lines.find((line) => line.type === 'suspended')).toMatchObject({
      state: { signature: expect.any(String) },
    })
  })
})

it('an unknown option of the stream is refused', () => {
  const run = ChatClient.create(scriptedModel([])).prompt('Go').stream()
  expect(() => run.toReadableStream({ raw: true } as never)).toThrow(
    expect.objectContaining({ code: 'unknown-option' }),
  )
})

describe('of a tool that is labelled as private', () => {
  const options = { labels: { reads: 'private' } } as const
  const called: ScriptedStep = { toolCalls: [{ name: 'read' }] }

  it('a direct result stays out of the last line too', async () => {
    const read = tool({ ...options, name: 'read', returnDirect: true, execute: () => 'SECRET row' })
    const run = asking([called], { tools: [read] })
    expect(await textOfStream(run)).not.toContain('SECRET')
    expect((await run.result()).response.results[0]!.message.content).toBe('SECRET row')
  })

  it('progress is not sent', async () => {
    const read = tool({
      ...options,
      name: 'read',
      async *execute() {
        yield 'SECRET half'
        return 'done'
      },
    })
    const text = await textOfStream(asking([called, 'Read.'], { tools: [read] }))
    expect(text).not.toContain('SECRET')
    expect(text).not.toContain('tool-progress')
  })

  it('an error that ends the run is told by the name of the tool', async () => {
    const read = tool({
      ...options,
      name: 'read',
      execute: () => Promise.reject(new Error('SECRET')),
    })
    const text = await textOfStream(asking([called], { tools: [read], throwOnError: true }))
    expect(text).not.toContain('SECRET')
    expect(lineIn(parsed(text), 'error')).toMatchObject({
      code: 'tool-execution',
      message: 'Tool "read" failed.',
    })
  })
})

it('an abort with a reason of any kind is told as such', async () => {
  for (const reason of [new Error('SECRET'), 'SECRET', undefined]) {
    const abort = new AbortController()
    const model = scriptedModel([{ hang: true }])
    const run = ChatClient.create(model).prompt('Go').signal(abort.signal).stream()
    const text = textOfStream(run)
    abort.abort(reason)
    expect(lineIn(parsed(await text), 'error')).toEqual({
      type: 'error',
      code: 'aborted',
      message: 'The run was aborted.',
    })
  }
})

it('who decides about a run inside a tool is not shown the state of that run', async () => {
  const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
  const inner = ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'pay' }] }, 'Paid.']), {
    system: 'SECRET inner system',
    tools: [pay],
  })
  const ask = clientTool(inner, { name: 'ask', description: 'Asks' })
  const script = [{ toolCalls: [{ name: 'ask', arguments: { prompt: 'Pay' } }] }, 'Done.']
  const client = ChatClient.create(scriptedModel(script), { tools: [ask] })
  const run = client.prompt('Go').stream()
  const { pending, state } = await run.result()
  const told: ChatEvent[] = []
  for await (const event of run) if (event.type === 'suspended') told.push(event)
  const [{ pending: shown }] = told as [Extract<ChatEvent, { type: 'suspended' }>]
  expect(JSON.stringify([pending, shown])).not.toContain('SECRET')
  const { callId, question } = pending![0]!
  const inside = (question as unknown as InnerQuestion).pending[0]!
  const answer = { [inside.callId]: 'approve' } as const
  const resumed = client.resume(state!, { [callId]: { answer } })
  expect(await resumed.call().content()).toBe('Done.')
})
