/** A model that runs its tools itself, and the client's loop that does not let it. */
import { describe, expect, it } from 'vitest'
import {
  aggregate,
  ChatClient,
  fallbackModel,
  RunLimitError,
  RunSuspendedError,
  staticResolver,
  textOf,
  tool,
  toolCallsOf,
  withToolExecution,
  type ChatEvent,
  type ChatModel,
  type ChatOptions,
  type ChatResponse,
  type Prompt,
  type ToolExecutionOptions,
} from 'toolwright'
import { scriptedModel, type ScriptedModel, type ScriptedStep } from 'toolwright/testing'
import { eventsOf, scenario, toldByTools, typesOf } from './scenario.ts'

const MODES = ['call', 'stream'] as const
type Mode = (typeof MODES)[number]

interface Asked {
  readonly response: ChatResponse
  readonly events: readonly ChatEvent[]
}

async function ask(mode: Mode, model: ChatModel, prompt: Prompt): Promise<Asked> {
  const events: ChatEvent[] = []
  if (mode === 'call') {
    const emit = (event: ChatEvent): void => void events.push(event)
    return { response: await model.call(prompt, { emit }), events }
  }
  for await (const event of model.stream(prompt)) events.push(event)
  return { response: eventsOf(events, 'response')[0]!.response, events }
}

const add = tool({ name: 'add', execute: () => 5 })
const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 3 }
const call: ScriptedStep = { text: 'Let me see. ', toolCalls: [{ name: 'add' }], usage }
const said: ScriptedStep = { text: 'It is 5.', usage }

const prompted = (options: ChatOptions): Prompt => ({
  messages: [{ role: 'user', content: 'Go' }],
  options,
})

function twice(
  name: string,
  script: readonly ScriptedStep[],
  check: (mode: Mode, model: ScriptedModel) => Promise<void>,
): void {
  for (const mode of MODES) it(`${name} (${mode})`, () => check(mode, scriptedModel(script)))
}

describe('withToolExecution', () => {
  twice(
    'runs the tools until there is an answer; usage is summed',
    [call, call, said],
    async (mode, model) => {
      const { response } = await ask(mode, withToolExecution(model), prompted({ tools: [add] }))
      expect(textOf(response)).toBe('It is 5.')
      expect(response.usage).toEqual({ inputTokens: 30, outputTokens: 3, cacheReadTokens: 9 })
      expect(model.prompts.map(({ messages }) => messages.length)).toEqual([1, 3, 5])
      expect(toldByTools(model.prompts[1])).toEqual([{ content: '5' }])
    },
  )

  twice(
    'runs what the model’s own options offer, in their context',
    [call, said],
    async (mode, model) => {
      const seen: unknown[] = []
      const own = tool({ name: 'add', execute: (_input, { values }) => void seen.push(values) })
      const options = { tools: [own], toolContext: { tenant: 'own', user: 'x' } }
      const wrapped = withToolExecution({ ...model, options })
      await ask(mode, wrapped, prompted({ toolContext: { user: 'ada' } }))
      expect(seen).toEqual([{ tenant: 'own', user: 'ada' }])
    },
  )

  twice(
    'finds tools by name, with its resolver or the model’s',
    [call, said, call, said],
    async (mode, model) => {
      const resolver = staticResolver([add])
      const toolNames = ['add']
      await ask(mode, withToolExecution(model, { resolver }), prompted({ toolNames }))
      await ask(mode, withToolExecution({ ...model, resolver }), prompted({ toolNames }))
      expect(model.prompts.map((prompt) => prompt.options!.tools)).toEqual(Array(4).fill([add]))
      await expect(
        ask(mode, withToolExecution(model), prompted({ toolNames })),
      ).rejects.toMatchObject({ code: 'unknown-tool-name' })
    },
  )

  twice(
    'is switched off by internalToolExecution: false, the prompt’s or the model’s own',
    [call, call],
    async (mode, model) => {
      const off = prompted({ tools: [add], internalToolExecution: false })
      const { response } = await ask(mode, withToolExecution(model), off)
      expect(toolCallsOf(response)).toHaveLength(1)
      const options = { internalToolExecution: false }
      const own = await ask(
        mode,
        withToolExecution({ ...model, options }),
        prompted({ tools: [add] }),
      )
      expect(toolCallsOf(own.response)).toHaveLength(1)
      expect(model.prompts[0]).toBe(off)
    },
  )

  twice('leaves calls alone that are not eligible', [call, call], async (mode, model) => {
    const seen: unknown[] = []
    const eligible: ToolExecutionOptions['eligible'] = (options, response) => {
      seen.push(options.seed, toolCallsOf(response)[0]!.name)
      return options.seed !== 1
    }
    const wrapped = withToolExecution({ ...model, options: { seed: 1 } }, { eligible })
    const { response } = await ask(mode, wrapped, prompted({ tools: [add] }))
    expect(response.results[0]!.finishReason).toBe('tool-calls')
    expect(seen).toEqual([1, 'add'])
  })

  twice('ends with direct results', [call], async (mode, model) => {
    const direct = tool({ name: 'add', returnDirect: true, execute: () => 'five' })
    const { response } = await ask(mode, withToolExecution(model), prompted({ tools: [direct] }))
    expect(textOf(response)).toBe('five')
    expect(response.results[0]!.finishReason).toBe('return-direct')
    expect(response.usage).toEqual(usage)
  })

  twice('keeps its limits', [call, call, call, call], async (mode, model) => {
    const limits = { rounds: 2 }
    const { response } = await ask(
      mode,
      withToolExecution(model, { limits }),
      prompted({ tools: [add] }),
    )
    expect(response.results[0]).toMatchObject({
      finishReason: 'limit',
      metadata: { limit: 'rounds' },
    })
    expect(response.usage.inputTokens).toBe(20)
    const strict = withToolExecution(model, { limits, onLimit: 'throw' })
    await expect(ask(mode, strict, prompted({ tools: [add] }))).rejects.toBeInstanceOf(
      RunLimitError,
    )
    expect(model.prompts).toHaveLength(4)
  })

  twice('tells the model what went wrong with a tool', [call, said], async (mode, model) => {
    const broken = tool({
      name: 'add',
      execute: () => {
        throw new Error('no numbers left')
      },
    })
    await ask(mode, withToolExecution(model), prompted({ tools: [broken] }))
    expect(toldByTools(model.prompts[1])).toEqual([{ content: 'no numbers left', isError: true }])
  })

  twice(
    'rejects when a call has to wait; a client can go on from there',
    [call, said],
    async (mode, model) => {
      const paid: string[] = []
      const pay = tool({ name: 'add', approval: true, execute: () => void paid.push('paid') })
      const error = await ask(mode, withToolExecution(model), prompted({ tools: [pay] })).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(RunSuspendedError)
      const { pending, state, status } = (error as RunSuspendedError).result
      expect([status, paid]).toEqual(['suspended', []])
      const client = ChatClient.create(model, { tools: [pay] })
      const decisions = { [pending![0]!.callId]: 'approve' } as const
      expect(await client.resume(state!, decisions).call().content()).toBe('It is 5.')
      expect(paid).toEqual(['paid'])
    },
  )

  twice('is aborted with the reason, in a tool too', [call], async (mode, model) => {
    const controller = new AbortController()
    let heard: unknown
    const slow = tool({
      name: 'add',
      execute: (_input, { signal }) => {
        signal.addEventListener('abort', () => (heard = signal.reason))
        controller.abort('enough')
        return new Promise(() => {})
      },
    })
    const { signal } = controller
    const wrapped = withToolExecution(model)
    const prompt = prompted({ tools: [slow] })
    const asked =
      mode === 'call'
        ? wrapped.call(prompt, { signal })
        : aggregate(wrapped.stream(prompt, { signal }))
    await expect(asked).rejects.toBe('enough')
    expect(heard).toBe('enough')
  })

  it('a stream shows every round and what the tools did, then one response', async () => {
    const wrapped = withToolExecution(scriptedModel([call, said]))
    const { events } = await ask('stream', wrapped, prompted({ tools: [add] }))
    expect(typesOf(events).filter((type) => type !== 'text-delta')).toEqual([
      'tool-call-start',
      'tool-call-delta',
      'tool-call',
      'tool-execution-start',
      'tool-result',
      'response',
    ])
    expect(
      eventsOf(events, 'text-delta')
        .map(({ text }) => text)
        .join(''),
    ).toBe('Let me see. It is 5.')
  })

  it('a reader that leaves stops the tool that runs', async () => {
    let stopped: unknown
    const slow = tool({
      name: 'add',
      execute: (_input, context) => {
        const { signal } = context
        signal.addEventListener('abort', () => (stopped = signal.reason))
        context.progress('started')
        return new Promise(() => {})
      },
    })
    const wrapped = withToolExecution(scriptedModel([call]))
    for await (const event of wrapped.stream(prompted({ tools: [slow] })))
      if (event.type === 'tool-progress') break
    expect(stopped).toMatchObject({ code: 'run-abandoned' })
  })

  it('a notice of the model reaches whoever called', async () => {
    const down = scriptedModel([{ error: new Error('down') }])
    const model = fallbackModel([down, scriptedModel(['Hi.'])])
    const { events } = await ask('call', withToolExecution(model), prompted({}))
    expect(events).toMatchObject([{ type: 'notice', code: 'model-fallback' }])
  })

  it('refuses options it does not know, and to be one of several', () => {
    expect(() => withToolExecution(scriptedModel([]), { limit: {} } as never)).toThrow(
      /withToolExecution\(\) has no option "limit".*"limits"/,
    )
    expect(() => fallbackModel([withToolExecution(scriptedModel([])), scriptedModel([])])).toThrow(
      /withToolExecution\(fallbackModel/,
    )
  })
})

describe('in a client', () => {
  scenario('the client’s loop runs the calls, once, and tells the model not to', {
    script: [call, said],
    tools: ({ log }) => [tool({ name: 'add', execute: () => void log.push('ran') })],
    request(_client, { model, log }) {
      const never = withToolExecution(model, { eligible: () => void log.push('asked') as never })
      return ChatClient.create(never, { ids: { next: (prefix) => `${prefix}_1` } }).prompt('Go')
    },
    check({ prompts, log, result }) {
      expect(log).toEqual(['ran'])
      expect(prompts.map((prompt) => prompt.options!.internalToolExecution)).toEqual([false, false])
      expect(result.rounds).toHaveLength(2)
    },
  })

  it('without the client’s loop the model runs them', async () => {
    const model = scriptedModel([call, said])
    const client = ChatClient.create(withToolExecution(model), { tools: [add] })
    const { rounds, response } = await client.prompt('Go').toolCalling(false).call().result()
    expect(textOf(response)).toBe('It is 5.')
    expect([rounds.length, model.prompts.length]).toEqual([1, 2])
  })
})
