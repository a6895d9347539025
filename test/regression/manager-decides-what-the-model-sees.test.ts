/** `resolveToolDefinitions` of a manager was never asked by the loop. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  tool,
  toolCallingManager,
  withToolExecution,
  type AssistantPart,
  type ChatModel,
  type ChatResponse,
  type Prompt,
  type ToolCallback,
  type ToolCallingManager,
  type ToolDefinition,
} from 'toolwright'
import { keywordToolIndex, toolSearchAdvisor } from 'toolwright/tool-search'
import { scriptedModel } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { eventsOf, scenario, toldByTools, type Stage } from '../e2e/scenario.ts'

const named = (name: string, log: unknown[] = []): ToolCallback =>
  tool({ name, description: `The ${name}`, execute: () => (log.push(name), `${name} ran`) })

const sentIn = (prompt: Prompt | undefined): readonly ToolDefinition[] =>
  ((prompt?.options?.tools ?? []) as readonly ToolCallback[]).map(({ definition }) => definition)

type Change = (definitions: readonly ToolDefinition[]) => readonly ToolDefinition[]

/** The default manager with other definitions. */
function managerShowing(
  change: Change,
  own: Partial<ToolCallingManager> = {},
  clock?: Stage['clock'],
): ToolCallingManager {
  const inner = toolCallingManager({ ids: countingIds(), ...(clock && { clock }) })
  return {
    settings: inner.settings!,
    resolveToolDefinitions: async (options) => change(await inner.resolveToolDefinitions(options)),
    executeToolCalls: (prompt, response, run) => inner.executeToolCalls(prompt, response, run),
    ...own,
  }
}

const described: Change = (definitions) =>
  definitions.map((each) => ({ ...each, description: `${each.description}, as the manager says` }))

/** The response with other names of its calls. */
const renamed = (response: ChatResponse, name: (name: string) => string): ChatResponse => ({
  ...response,
  results: response.results.map((generation) => {
    const { message } = generation
    const content = (message.content as readonly AssistantPart[]).map((part) =>
      part.type === 'tool-call' ? { ...part, name: name(part.name) } : part,
    )
    return { ...generation, message: { ...message, content } }
  }),
})

describe('in the loop of a client', () => {
  scenario('a description that the manager changes is the one the model reads', {
    script: [{ toolCalls: [{ name: 'clock' }] }, 'Noon.'],
    tools: ({ log }) => [named('clock', log)],
    client: ({ clock }) => ({ manager: managerShowing(described, {}, clock) }),
    check({ prompts, log }) {
      for (const prompt of prompts)
        expect(sentIn(prompt)).toMatchObject([{ description: 'The clock, as the manager says' }])
      // Adapters know a list of tools by what it is.
      expect(prompts[1]!.options!.tools).toBe(prompts[0]!.options!.tools)
      expect(log).toEqual(['clock'])
    },
  })

  scenario('a tool that the manager leaves out is neither sent nor run', {
    script: [{ toolCalls: [{ name: 'pay' }, { name: 'clock' }] }, 'Sorry.'],
    tools: ({ log }) => [named('clock', log), named('pay', log)],
    client: ({ clock }) => ({
      manager: managerShowing((all) => all.filter(({ name }) => name !== 'pay'), {}, clock),
    }),
    check({ prompts, log, events }) {
      expect(sentIn(prompts[0]).map(({ name }) => name)).toEqual(['clock'])
      expect(log).toEqual(['clock'])
      expect(toldByTools(prompts[1])).toEqual([
        {
          content: expect.stringMatching(/no tool called "pay".*Available tools: clock/),
          isError: true,
        },
        { content: 'clock ran' },
      ])
      const told = eventsOf(events, 'tool-result').map(({ toolCall }) => toolCall.name)
      expect(told.toSorted()).toEqual(['clock', 'pay'])
    },
  })

  scenario('a manager that renames gets the calls by its own names', {
    script: [{ toolCalls: [{ name: 'x_clock' }, { name: 'clock' }] }, 'Noon.'],
    tools: ({ log }) => [named('clock', log)],
    client({ clock }) {
      const inner = toolCallingManager({ ids: countingIds(), clock })
      const prefixed: Change = (all) => all.map((each) => ({ ...each, name: `x_${each.name}` }))
      const manager = managerShowing(prefixed, {
        settings: inner.settings!,
        executeToolCalls: (prompt, response, run) =>
          inner.executeToolCalls(
            prompt,
            renamed(response, (name) => name.replace('x_', '')),
            run,
          ),
      })
      return { manager }
    },
    check({ prompts, log }) {
      expect(sentIn(prompts[0]).map(({ name }) => name)).toEqual(['x_clock'])
      // The old name was not shown, so it is not run.
      expect(log).toEqual(['clock'])
      expect(toldByTools(prompts[1])).toMatchObject([{ content: 'clock ran' }, { isError: true }])
    },
  })

  scenario('a definition that no tool has is offered, and its calls are the manager’s', {
    script: [{ toolCalls: [{ name: 'own', arguments: { n: 1 } }] }, 'Done.'],
    tools: ({ log }) => [named('clock', log)],
    client({ clock, log }) {
      const own: ToolDefinition = {
        name: 'own',
        description: 'Of the manager',
        inputSchema: { type: 'object' },
      }
      const manager = managerShowing(
        (all) => [...all, own],
        {
          async executeToolCalls(prompt, response) {
            const { message } = response.results[0]!
            const call = (message.content as readonly { id: string; arguments: string }[])[0]!
            log.push(call.arguments)
            const responses = [{ id: call.id, name: 'own', content: 'by the manager' }]
            const history = [...prompt.messages, message, { role: 'tool' as const, responses }]
            return { responses, conversationHistory: history, returnDirect: false }
          },
        },
        clock,
      )
      return { manager }
    },
    check({ prompts, log }) {
      expect(sentIn(prompts[0]).map(({ name }) => name)).toEqual(['clock', 'own'])
      expect(log).toEqual(['{"n":1}'])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'by the manager' }])
    },
  })

  scenario('it is asked in every round, with the tools of that round', {
    script: [{ toolCalls: [{ name: 'one' }] }, 'Done.'],
    tools: ({ log }) => [named('one', log)],
    client({ clock, log }) {
      const inner = toolCallingManager({ ids: countingIds(), clock })
      const manager = managerShowing(described, {
        settings: inner.settings!,
        async resolveToolDefinitions(options) {
          const definitions = await inner.resolveToolDefinitions(options)
          log.push(definitions.map(({ name }) => name).join())
          return described(definitions)
        },
      })
      const two = named('two')
      return {
        manager,
        toolCalling: {
          beforeRound: (request) => {
            const { options } = request.prompt
            const tools = request.round === 1 ? options!.tools! : [...options!.tools!, two]
            return { ...request, prompt: { ...request.prompt, options: { ...options, tools } } }
          },
        },
      }
    },
    check({ log, prompts }) {
      expect(log).toEqual(['one', 'one', 'one,two'])
      expect(sentIn(prompts[1]).map(({ description }) => description)).toEqual([
        'The one, as the manager says',
        'The two, as the manager says',
      ])
    },
  })

  scenario('a run goes on where it was suspended', {
    script: [{ toolCalls: [{ name: 'pay' }] }, 'Paid.'],
    tools: () => [tool({ name: 'pay', approval: true, execute: () => 'paid' })],
    client: ({ clock }) => ({ manager: managerShowing(described, {}, clock) }),
    resume: [() => ({ call_1: 'approve' })],
    check({ prompts, result }) {
      expect(toldByTools(prompts[1])).toEqual([{ content: 'paid' }])
      expect(sentIn(prompts[1])).toMatchObject([{ description: 'pay, as the manager says' }])
      expect(result.status).toBe('done')
    },
  })

  it('definitions as they are leave the list of tools as it is', async () => {
    const model = scriptedModel(['Done.', 'Done.'])
    const plain = ChatClient.create(model, { tools: [named('a'), named('b')] })
    const wrapped = plain.with({ manager: managerShowing((all) => all) })
    for (const client of [plain, wrapped]) await client.prompt('Go').call().content()
    expect(sentIn(model.prompts[1])).toEqual(sentIn(model.prompts[0]))
    expect(sentIn(model.prompts[1])[0]).toBe(sentIn(model.prompts[0])[0])
  })

  it('a manager may be an instance of a class', async () => {
    class Own implements ToolCallingManager {
      readonly #inner = toolCallingManager()
      async resolveToolDefinitions(
        options: Parameters<ToolCallingManager['resolveToolDefinitions']>[0],
      ) {
        return described(await this.#inner.resolveToolDefinitions(options))
      }
      executeToolCalls(...given: Parameters<ToolCallingManager['executeToolCalls']>) {
        return this.#inner.executeToolCalls(...given)
      }
    }
    const log: unknown[] = []
    const model = scriptedModel([{ toolCalls: [{ name: 'clock' }] }, 'Noon.'])
    const client = ChatClient.create(model, { manager: new Own(), tools: [named('clock', log)] })
    await client.prompt('Go').call().content()
    expect(sentIn(model.prompts[0])).toMatchObject([
      { description: 'The clock, as the manager says' },
    ])
    expect(log).toEqual(['clock'])
  })

  it('what a tool search finds is shown as the manager says', async () => {
    const model = scriptedModel([
      { toolCalls: [{ name: 'toolSearchTool', arguments: { queries: ['clock'] } }] },
      { toolCalls: [{ name: 'clock' }] },
      'Noon.',
    ])
    const log: unknown[] = []
    const client = ChatClient.create(model, {
      manager: managerShowing(described),
      tools: [named('clock', log), named('weather')],
      advisors: [toolSearchAdvisor({ index: keywordToolIndex() })],
    })
    await client.prompt('Go').call().content()
    const found = sentIn(model.prompts[1]).find(({ name }) => name === 'clock')
    expect(found!.description).toBe('The clock, as the manager says')
    expect(log).toEqual(['clock'])
  })

  it('a model that cannot use tools gets none', async () => {
    const scripted = scriptedModel(['Plain.'])
    const model: ChatModel = { ...scripted, capabilities: { tools: false } }
    const own: ToolDefinition = { name: 'own', description: '', inputSchema: { type: 'object' } }
    const client = ChatClient.create(model, { manager: managerShowing(() => [own]) })
    await client.prompt('Go').call().content()
    expect(sentIn(scripted.prompts[0])).toEqual([])
  })

  for (const [what, change, code] of [
    [
      'two of one name',
      (all: readonly ToolDefinition[]) => [...all, ...all.map((each) => ({ ...each }))],
      'duplicate-tool',
    ],
    ['no list', () => ({}) as never, 'invalid-option'],
  ] as const)
    // prettier-ignore
    it(`${what} is an error before anything is sent`, async () => {
      const model = scriptedModel(['Never.'])
      const client = ChatClient.create(model, {
        manager: managerShowing(change),
        tools: [named('clock')],
      })
      await expect(client.prompt('Go').call().content()).rejects.toMatchObject({ code })
      expect(model.remaining).toBe(1)
    })

  it('a manager that is none is refused at once', () => {
    const manager = { executeToolCalls: () => {} } as never
    expect(() => ChatClient.create(scriptedModel([]), { manager })).toThrow(
      /resolveToolDefinitions/,
    )
  })
})

describe('in withToolExecution', () => {
  const ask = async (model: ChatModel, mode: 'call' | 'stream', tools: readonly ToolCallback[]) => {
    const prompt: Prompt = { messages: [{ role: 'user', content: 'Go' }], options: { tools } }
    if (mode === 'call') return void (await model.call(prompt))
    for await (const _event of model.stream(prompt));
  }

  for (const mode of ['call', 'stream'] as const)
    it(`its manager decides what the model sees, and runs the calls (${mode})`, async () => {
      const log: unknown[] = []
      const scripted = scriptedModel([{ toolCalls: [{ name: 'clock' }, { name: 'pay' }] }, 'Noon.'])
      const manager = managerShowing((all) => described(all.filter(({ name }) => name !== 'pay')))
      const model = withToolExecution(scripted, { manager })
      await ask(model, mode, [named('clock', log), named('pay', log)])
      expect(sentIn(scripted.prompts[0])).toMatchObject([
        { name: 'clock', description: 'The clock, as the manager says' },
      ])
      expect(log).toEqual(['clock'])
    })

  it('takes eligible beside it, and the model’s resolver', async () => {
    const scripted = scriptedModel([{ toolCalls: [{ name: 'clock' }] }], {})
    const model = withToolExecution(
      { ...scripted, resolver: { resolve: () => named('clock') } },
      { manager: managerShowing(described), eligible: () => false },
    )
    const options = { toolNames: ['clock'] }
    const response = await model.call({ messages: [{ role: 'user', content: 'Go' }], options })
    expect(response.results[0]!.finishReason).toBe('tool-calls')
    expect(sentIn(scripted.prompts[0])).toHaveLength(1)
  })

  it('a manager and options of one are an error', () => {
    const options = { manager: toolCallingManager(), limits: { rounds: 2 } }
    expect(() => withToolExecution(scriptedModel([]), options)).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: expect.stringMatching(/manager and limits/),
      }),
    )
  })
})
