/** Tools that are run by a request of their own: what goes in, what comes out, and what never leads back. */
import { describe, expect, it } from 'vitest'
import {
  advisor,
  inMemoryRunStore,
  ORDER,
  RunSuspendedError,
  tool,
  type ChatEvent,
  type RunState,
} from 'toolwright'
import {
  AgentError,
  agentRegistry,
  runAgent,
  type AgentMessage,
  type AgentRegistry,
  type SavedRequest,
  type ToolSchema,
} from 'toolwright/agent'
import {
  answering,
  appended,
  play,
  registryWith,
  SUMMARY,
  textRead,
  type Answer,
} from './agent-stage.ts'

const TITLE = {
  type: 'object',
  properties: { title: { type: 'string' } },
  required: ['title'],
} as const
const titled: ToolSchema = {
  type: 'object',
  description: 'Finds a title. Returns {title}.',
  properties: { text: { type: 'string' } },
  required: ['text'],
  _delegate: 'titles/short',
}
const saved: SavedRequest = {
  context: [
    { type: 'text', text: 'Find a title for the input.' },
    {
      type: 'input',
      input: {},
      schema: {
        type: 'object',
        properties: { text: { type: 'string', description: 'What it is about' } },
      },
    },
  ],
  schema: TITLE,
}
const DONE: Answer = { output: { summary: 'done' } }
const go = (...tools: readonly AgentMessage[]): readonly AgentMessage[] => [
  ...tools,
  { type: 'text', text: 'SECRET of the parent' },
]
const withSaved = (requests: { readonly [reference: string]: SavedRequest }): AgentRegistry => {
  const registry = agentRegistry()
  for (const [reference, request] of Object.entries(requests)) registry.delegate(reference, request)
  return registry
}
const titleTool: AgentMessage = { type: 'tool', tool: { titled } }

describe('a delegate', () => {
  it('gets its own context and the parameters, and gives back its output only', async () => {
    const { result, model } = await play({
      answers: [
        {
          calls: [
            {
              _tool: 'titled',
              text: 'A dog',
              _reasoningForCall: 'PRIVATE',
              _outputPath: '†state.title',
            },
          ],
        },
        { output: { title: 'Dog' }, meta: { version: 'inner' } },
        { output: { summary: 'done' }, meta: { version: 'outer' } },
      ],
      output: SUMMARY,
      context: go(titleTool),
      system: 'SYSTEM of the parent',
      registry: withSaved({ 'titles/short': saved }),
    })
    const inner = textRead(model.prompts[1]!)
    expect(inner).toContain('Find a title for the input.')
    expect(inner).toContain('{"text":"A dog"}')
    expect(inner).toContain('What it is about')
    expect(inner).toContain('MUST be treated as a structured prompt')
    expect(inner).not.toMatch(/SECRET|SYSTEM|PRIVATE|_outputPath/)
    expect(model.prompts[1]!.options!.outputSchema!.properties).not.toHaveProperty('calls')
    expect(appended(result)).toEqual([
      { type: 'data', kind: 'state', data: { title: { title: 'Dog' } } },
    ])
    expect(result).toMatchObject({ turns: 2, meta: { version: 'outer' } })
  })

  it('has neither the tools nor the advisors of its parent', async () => {
    const rounds: string[] = []
    const { model } = await play({
      answers: [{ calls: [{ _tool: 'titled', text: 'x' }] }, { output: { title: '' } }, DONE],
      output: SUMMARY,
      context: go(titleTool),
      tools: [tool({ name: 'parents', description: 'Of the parent', execute: () => 1 })],
      advisors: [
        advisor({
          name: 'spy',
          order: ORDER.last,
          before: (request) => void rounds.push(textRead(request.prompt)),
        }),
      ],
      registry: withSaved({ 'titles/short': saved }),
    })
    expect(JSON.stringify(model.prompts[0]!.options!.outputSchema)).toContain('parents')
    expect(JSON.stringify(model.prompts[1]!.options!.outputSchema)).not.toContain('parents')
    expect(rounds).toHaveLength(2)
    expect(rounds.join()).not.toContain('Find a title')
  })

  it('that is anonymous has the tool’s _output as its schema', async () => {
    const { _delegate, ...schema } = titled
    const anonymous: ToolSchema = {
      ...schema,
      _delegate: 'anonymous',
      properties: { ...schema.properties, _output: TITLE },
    }
    const { result, model } = await play({
      answers: [
        { calls: [{ _tool: 'titled', text: 'A dog' }] },
        { output: { title: 'Dog' } },
        DONE,
      ],
      output: SUMMARY,
      context: go({ type: 'tool', tool: { titled: anonymous } }),
    })
    expect(textRead(model.prompts[1]!)).not.toContain('SECRET')
    expect(model.prompts[1]!.options!.outputSchema!.properties!.output).toMatchObject({
      properties: TITLE.properties,
    })
    expect(appended(result)).toMatchObject([{ data: { tool: 'titled', result: { title: 'Dog' } } }])
  })

  it('sees what the scopes let through, of its instance, without its name', async () => {
    const { model } = await play({
      answers: [
        { calls: [{ _tool: 'titled', text: 'x', _instance: '①' }] },
        { output: { title: '' } },
        DONE,
      ],
      output: SUMMARY,
      context: [
        { type: 'tool', tool: { titled: { ...titled, _scopes: ['state'] } } },
        { type: 'state', state: { tone: 'dry' } },
        { type: 'state', _instance: '①', state: { lang: 'ru' } },
        { type: 'state', _instance: '②', state: { lang: 'de' } },
        { type: 'data', data: { hidden: true } },
        { type: 'text', text: 'SECRET' },
      ],
      registry: withSaved({ 'titles/short': saved }),
    })
    const inner = textRead(model.prompts[1]!)
    expect(inner).toContain('{"tone":"dry","lang":"ru"}')
    expect(inner).not.toMatch(/①|"de"|hidden|SECRET/)
  })

  it('with an activity runs that alone, with the scoped messages', async () => {
    const seen: unknown[] = []
    const isolated: ToolSchema = {
      ...titled,
      _delegate: 'anonymous',
      _activity: 'findTitle',
      _scopes: ['state'],
    }
    await play({
      answers: [{ calls: [{ _tool: 'titled', text: 'x' }] }, DONE],
      output: SUMMARY,
      context: go({ type: 'tool', tool: { titled: isolated } }, { type: 'state', state: { a: 1 } }),
      registry: registryWith({ findTitle: (_call, _tool, context) => void seen.push(...context) }),
    })
    expect(seen).toEqual([{ type: 'state', state: { a: 1 } }])
  })

  it('runs its own loop with its own tools', async () => {
    const registry = withSaved({
      'titles/short': {
        ...saved,
        context: [
          ...saved.context,
          { type: 'tool', tool: { count: { type: 'object', properties: { text: {} } } } },
        ],
      },
    })
    registry.activity('count', ({ text }) => String(text).length)
    const { result, model } = await play({
      answers: [
        { calls: [{ _tool: 'titled', text: 'abc' }] },
        { calls: [{ _tool: 'count', text: '†input.text' }] },
        { output: { title: 'three' } },
        DONE,
      ],
      output: SUMMARY,
      context: go(titleTool),
      registry,
    })
    expect(textRead(model.prompts[2]!)).toContain('"result":3')
    expect(textRead(model.prompts[3]!)).not.toContain('count')
    expect(result.calls).toHaveLength(1)
  })

  it('tells its events as those of its call', async () => {
    const events: ChatEvent[] = []
    await play({
      answers: [{ calls: [{ _tool: 'titled', text: 'x' }] }, { output: { title: '' } }, DONE],
      output: SUMMARY,
      context: go(titleTool),
      registry: withSaved({ 'titles/short': saved }),
      onEvent: (event) => void events.push(event),
    })
    const inner = events.filter(({ parentCallId }) => parentCallId !== undefined)
    expect(inner.map(({ type, parentCallId }) => [type, parentCallId])).toEqual([
      ['round-end', 'call_1_1'],
      ['response', 'call_1_1'],
    ])
  })

  it('that fails is an error the model reads', async () => {
    const { result } = await play({
      answers: [{ calls: [{ _tool: 'titled', text: 'x' }] }, 'a', 'b', 'c', DONE],
      output: SUMMARY,
      context: go(titleTool),
      registry: withSaved({ 'titles/short': saved }),
    })
    expect(result.errors).toMatchObject([{ error: expect.stringContaining('does not fit') }])
  })

  it('is found by the host where the registry has none', async () => {
    const asked: string[] = []
    const { result } = await play({
      answers: [{ calls: [{ _tool: 'titled', text: 'x' }] }, { output: { title: 'T' } }, DONE],
      output: SUMMARY,
      context: go(titleTool),
      resolveDelegate: async (reference) => (asked.push(reference), saved),
    })
    expect(asked).toEqual(['titles/short'])
    expect(appended(result)).toMatchObject([{ data: { result: { title: 'T' } } }])
  })
})

describe('a delegate that cannot be run ends the run with an error for its author', () => {
  const calling = (registry: AgentRegistry, more: object = {}) =>
    play({
      answers: [{ calls: [{ _tool: 'titled', text: 'x' }] }],
      output: SUMMARY,
      context: go(titleTool),
      registry,
      ...more,
    }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )

  it('when nobody knows it', async () => {
    const error = await calling(withSaved({ 'titles/shrt': saved }))
    expect(error).toBeInstanceOf(AgentError)
    expect(error).toMatchObject({
      code: 'agent-delegate',
      message: expect.stringMatching(/"titles\/short".*Did you mean "titles\/shrt"/),
    })
  })

  it('when it names itself', async () => {
    const error = await calling(
      withSaved({ 'titles/short': { ...saved, context: [titleTool, ...saved.context] } }),
    )
    expect(error).toMatchObject({
      code: 'agent-delegate-cycle',
      message: expect.stringContaining('titles/short → titles/short'),
    })
  })

  it('when it leads back by way of another', async () => {
    const other: AgentMessage = {
      type: 'tool',
      tool: { other: { type: 'object', _delegate: 'b' } },
    }
    const registry = withSaved({
      'titles/short': { ...saved, context: [other, ...saved.context] },
      b: { ...saved, context: [titleTool, ...saved.context] },
    })
    const error = await calling(registry, {
      answers: [{ calls: [{ _tool: 'titled', text: 'x' }] }, { calls: [{ _tool: 'other' }] }],
    })
    expect(error).toMatchObject({
      code: 'agent-delegate-cycle',
      message: expect.stringContaining('titles/short → b → titles/short'),
    })
  })

  it('when delegates are too deep', async () => {
    expect(
      await calling(withSaved({ 'titles/short': saved }), {
        maxDelegateDepth: 1,
        answers: [{ calls: [{ _tool: 'titled', text: 'x' }] }, { output: { title: '' } }, DONE],
      }),
    ).toBeUndefined()
    const other: AgentMessage = {
      type: 'tool',
      tool: { other: { type: 'object', _delegate: 'b' } },
    }
    const registry = withSaved({
      'titles/short': { ...saved, context: [other, ...saved.context] },
      b: saved,
    })
    const error = await calling(registry, {
      maxDelegateDepth: 1,
      answers: [{ calls: [{ _tool: 'titled', text: 'x' }] }, { calls: [{ _tool: 'other' }] }],
    })
    expect(error).toMatchObject({
      code: 'agent-delegate-cycle',
      message: expect.stringContaining('more than 1'),
    })
  })

  it('when what was saved is no request', async () => {
    expect(() => withSaved({ bad: { context: 'x' } as never })).toThrow(
      /has a context and a schema/,
    )
    expect(await calling(agentRegistry(), { resolveDelegate: () => ({}) as never })).toMatchObject({
      code: 'agent-delegate',
    })
  })
})

describe('a delegate that needs somebody', () => {
  it('suspends the call it runs for, twice if need be, and goes on where it stopped', async () => {
    const paid: unknown[] = []
    const registry = withSaved({
      'titles/short': {
        ...saved,
        context: [
          ...saved.context,
          {
            type: 'tool',
            tool: { pay: { type: 'object', properties: { n: { type: 'number' } } } },
          },
        ],
      },
    })
    registry.activity('pay', ({ n }) => (paid.push(n), 'paid'), { approval: true })
    const model = answering(
      { calls: [{ _tool: 'titled', text: 'x' }] },
      { calls: [{ _tool: 'pay', n: 1 }] },
      { calls: [{ _tool: 'pay', n: 2 }] },
      { output: { title: 'Paid' } },
      DONE,
    )
    const runStore = inMemoryRunStore()
    const config = { model, registry, stateSecret: 'a secret shared by both', runStore }
    let error = await runAgent(config, SUMMARY, go(titleTool)).catch((thrown: unknown) => thrown)
    for (const n of [1, 2]) {
      expect(error).toBeInstanceOf(RunSuspendedError)
      // What the delegate waits for is a question of the run around it, which alone is kept.
      const { runs } = await runStore.list({})
      expect(runs.map(({ state }) => state)).toEqual([(error as RunSuspendedError).result.state])
      const { pending, state } = (error as RunSuspendedError).result
      const [waiting] = pending!
      expect(waiting).toMatchObject({
        toolName: 'titled',
        kind: 'question',
        question: [{ toolName: 'pay', kind: 'approval', input: { n } }],
      })
      const [inner] = waiting!.question as { callId: string }[]
      const decisions = { [waiting!.callId]: { answer: { [inner!.callId]: 'approve' } } }
      const resume = { state: JSON.parse(JSON.stringify(state)) as RunState, decisions }
      error = await runAgent({ ...config, resume }, SUMMARY, go(titleTool)).catch(
        (thrown: unknown) => thrown,
      )
      expect(paid).toEqual([1, 2].slice(0, n))
    }
    expect(error).toMatchObject({ output: { summary: 'done' } })
    expect(model.remaining).toBe(0)
  })
})
