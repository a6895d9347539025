/** Programs beside everything else that a client has: memory, tool search, MCP servers, agents, observers, other loops. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { Server } from '@modelcontextprotocol/server'
import { mcpTools, type McpTools } from '@toolwright/mcp'
import { afterEach, describe, expect, it } from 'vitest'
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  RunSuspendedError,
  tool,
  allToolsOf,
  withToolExecution,
  type ChatEvent,
  type ChatMemory,
  type RunState,
  type ToolCallbackProvider,
} from 'toolwright'
import { agentRegistry, fromToolCallback, runAgent, streamAgent } from 'toolwright/agent'
import { recordingObserver, scriptedModel } from 'toolwright/testing'
import { keywordToolIndex, toolSearchAdvisor } from 'toolwright/tool-search'
import { answering, SUMMARY } from '../e2e/agent/agent-stage.ts'
import { eventsOf, scenario, toldByTools } from '../e2e/scenario.ts'
import { program, programs } from './ways.ts'

const look = tool({ name: 'look', description: 'Looks', execute: () => ({ seen: 'a secret' }) })
const pay = (log: unknown[]) =>
  tool({
    name: 'pay',
    input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    approval: true,
    execute: ({ amount }, { idempotencyKey }) => (log.push({ amount, idempotencyKey }), 'receipt'),
  })
const PAYS = 'await tools.look({}); return tools.pay({ amount: 5 })'
const resultIn = (content: unknown): unknown =>
  (JSON.parse(content as string) as { result: unknown }).result

describe('memory', () => {
  const memories = new WeakMap<unknown[], ChatMemory>()
  const memoryOf = (log: unknown[]): ChatMemory => {
    const memory = memories.get(log) ?? messageWindowMemory()
    memories.set(log, memory)
    return memory
  }
  scenario('stores the program and its answer, and no call inside it, over a suspension too', {
    script: [program(PAYS), 'Paid.'],
    client: ({ log }) => ({
      advisors: [chatMemoryAdvisor(memoryOf(log), { storeToolExchange: true })],
    }),
    request: (client) => client.prompt('Go').conversation('c'),
    tools: ({ log }) => [programs([look, pay(log)])],
    resume: [() => ({ 'p/1': 'approve' })],
    async check({ log }) {
      const stored = await memoryOf(log).get('c')
      expect(stored.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
      const text = JSON.stringify(stored)
      expect(text).toContain('tools.pay')
      expect(text).toContain('receipt')
      expect(text).not.toContain('p/0')
      expect(text).not.toContain('a secret')
    },
  })
})

describe('tool search', () => {
  scenario('finds the tool that runs programs, and its calls need not be found', {
    script: [
      { toolCalls: [{ name: 'toolSearchTool', arguments: { queries: ['program'] } }] },
      program(PAYS),
      'Paid.',
    ],
    client: ({ log }) => ({
      tools: [programs([look, pay(log)]), tool({ name: 'alarm', execute: () => 'rings' })],
      advisors: [toolSearchAdvisor({ index: keywordToolIndex(), maxResults: 1 })],
    }),
    resume: [() => ({ 'p/1': 'approve' })],
    check({ log, prompts, result }) {
      expect(toldByTools(prompts[1])).toEqual([{ content: '{"tools":["runProgram"]}' }])
      expect(log).toHaveLength(1)
      expect(resultIn(toldByTools(prompts[2])[0]!.content)).toBe('receipt')
      expect(result.status).toBe('done')
    },
  })
})

describe('withToolExecution', () => {
  for (const mode of ['call', 'stream'] as const)
    it(`runs programs; what waits is a RunSuspendedError that names the call (${mode})`, async () => {
      const log: unknown[] = []
      const [runProgram] = await allToolsOf(programs([look, pay(log)]))
      const asked = async (code: string): Promise<unknown> => {
        const scripted = scriptedModel([program(code), 'Done.'])
        const model = withToolExecution(scripted)
        const messages = [{ role: 'user' as const, content: 'Go' }]
        const prompt = { messages, options: { tools: [runProgram!] } }
        if (mode === 'call') await model.call(prompt)
        else {
          const events: ChatEvent[] = []
          for await (const event of model.stream(prompt)) events.push(event)
          expect(eventsOf(events, 'tool-result')[0]).toMatchObject({ parentCallId: 'p', toolCall: { id: 'p/0' } }) // prettier-ignore
        }
        return resultIn(toldByTools(scripted.prompts[1])[0]!.content)
      }
      expect(await asked('return (await tools.look()).seen')).toBe('a secret')
      const error: unknown = await asked(PAYS).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(RunSuspendedError)
      expect((error as RunSuspendedError).result.pending).toMatchObject([{ callId: 'p/1', parentCallId: 'p' }]) // prettier-ignore
      expect(log).toEqual([])
    })
})

describe('MCP servers', () => {
  const open: McpTools[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((tools) => tools.close()))
  })
  /** `drop` says that it destroys; `read` that it does not; both are written to the log when they run. */
  async function served(log: unknown[]): Promise<McpTools> {
    const server = new Server({ name: 'inside', version: '1' }, { capabilities: { tools: {} } })
    const inputSchema = { type: 'object', properties: { table: { type: 'string' } } }
    server.setRequestHandler('tools/list', () => ({
      tools: [
        { name: 'read', inputSchema, annotations: { readOnlyHint: true } },
        { name: 'drop', inputSchema, annotations: { destructiveHint: true } },
      ] as never,
    }))
    server.setRequestHandler('tools/call', ({ params }) => {
      log.push([params.name, params.arguments])
      return { content: [{ type: 'text', text: `${params.name} done` }] }
    })
    const [here, there] = InMemoryTransport.createLinkedPair()
    const client = new Client({ name: 'mine', version: '1' })
    await Promise.all([server.connect(there), client.connect(here)])
    const tools = mcpTools(client, { name: 'inside' })
    open.push(tools)
    return tools
  }
  const source = (log: unknown[]): ToolCallbackProvider => {
    const served_ = served(log)
    return { toolCallbacks: async (listing) => (await served_).toolCallbacks(listing) }
  }

  scenario('are called by programs; what destroys needs approval, what they say is untrusted', {
    script: [
      program('const a = await tools.read({ table: "a" }); const b = await tools.drop({ table: "b" }); return [a, b]'), // prettier-ignore
      'Done.',
    ],
    tools: ({ log }) => [programs([source(log)])],
    resume: [() => ({ 'p/1': 'approve' })],
    check({ legs, log, result }) {
      expect(legs[0]!.result!.pending).toMatchObject([
        { callId: 'p/1', parentCallId: 'p', toolName: 'drop', kind: 'approval' },
      ])
      expect(log).toEqual([['read', { table: 'a' }], ['drop', { table: 'b' }]]) // prettier-ignore
      const message = result.messages.find(({ role }) => role === 'tool')
      expect(message).toMatchObject({ responses: [{ label: { trust: 'untrusted' } }] })
      expect(JSON.stringify(message)).toContain('drop done')
    },
  })
})

describe('agents', () => {
  const ways: { readonly [name: string]: typeof runAgent<typeof SUMMARY> } = {
    runAgent,
    streamAgent: (...given) => streamAgent(...given).result(),
  }
  it.each(Object.entries(ways))(
    'run programs: a call inside waits, is decided, and the program goes on (%s)',
    async (_name, run) => {
      // prettier-ignore
      const log: unknown[] = []
      const [runProgram] = await allToolsOf(programs([look, pay(log)]))
      const { name, schema, activity } = fromToolCallback(runProgram!)
      const registry = agentRegistry()
      registry.tool(name, schema)
      registry.activity(name, activity)
      const events: ChatEvent[] = []
      const model = answering(
        { calls: [{ _tool: name, code: PAYS }] },
        { output: { summary: 'paid' } },
      )
      const config = { model, registry, stateSecret: 'a secret of both', onEvent: (event: ChatEvent) => void events.push(event) } // prettier-ignore
      const context = [{ type: 'tool' as const, tool: name }, { type: 'text' as const, text: 'Go' }] // prettier-ignore
      const error = (await run(config, SUMMARY, context).catch((thrown: unknown) => thrown)) as RunSuspendedError // prettier-ignore
      expect(error).toBeInstanceOf(RunSuspendedError)
      const { pending, state } = error.result
      expect(pending).toMatchObject([{ toolName: 'pay', kind: 'approval', input: { amount: 5 } }])
      expect(pending![0]!.parentCallId).toBeDefined()
      expect(log).toEqual([])
      const resume = {
        state: JSON.parse(JSON.stringify(state)) as RunState,
        decisions: { [pending![0]!.callId]: 'approve' as const },
      }
      const { output, messages } = await run({ ...config, resume }, SUMMARY, context)
      expect(output).toEqual({ summary: 'paid' })
      expect(log).toHaveLength(1)
      expect(JSON.stringify(messages)).toContain('receipt')
      expect(eventsOf(events, 'tool-result').map(({ toolCall }) => toolCall.name)).toEqual(['look', 'pay', name]) // prettier-ignore
    },
  )
})

describe('observers and policies', () => {
  it('see a call under the program that made it', async () => {
    const observer = recordingObserver()
    const asked: unknown[] = []
    const client = ChatClient.create(
      scriptedModel([
        program('await tools.look(); return callTool("nobody", {}).catch(() => 1)'),
        'Done.',
      ]),
      {
        // prettier-ignore
        tools: [programs([look])],
        observer,
        policy({ callId, parentCallId, toolName }) {
          asked.push([callId, parentCallId, toolName])
          return 'allow'
        },
      },
    )
    await client.prompt('Go').call().content()
    const outline = observer.outline()
    const at = outline.findIndex((line) => line.includes('tool runProgram'))
    const depth = (line: string): number => line.length - line.trimStart().length
    expect(outline.slice(at + 1, at + 3).map((line) => [line.trim(), depth(line) - depth(outline[at]!)])).toEqual([['tool look', 2], ['tool nobody !', 2]]) // prettier-ignore
    expect(asked).toEqual([['p', undefined, 'runProgram'], ['p/0', 'p', 'look']]) // prettier-ignore
  })
})

describe('limits that a program shares with its run', () => {
  scenario('callsTotal counts the program and its calls', {
    script: [program('return (await Promise.allSettled([1, 2, 3].map(() => tools.look()))).map(({ status }) => status)')], // prettier-ignore
    tools: () => [programs([look])],
    client: () => ({ limits: { callsTotal: 3 } }),
    check({ result, events }) {
      expect(result.status).toBe('limit')
      const [, , refused, own] = eventsOf(events, 'tool-result')
      expect([refused, own].map((event) => event!.response.isError)).toContain(true)
      expect(resultIn(eventsOf(events, 'tool-result').at(-1)!.response.content)).toEqual(['fulfilled', 'fulfilled', 'rejected']) // prettier-ignore
    },
  })

  scenario('identicalCalls: the model may not run the same program again and again', {
    script: [program('return 1', 'a'), program('return 1', 'b'), program('return 1', 'c')],
    tools: () => [programs([look])],
    client: () => ({ limits: { identicalCalls: 2 } }),
    check({ result, events }) {
      expect(result.status).toBe('limit')
      expect(eventsOf(events, 'tool-result').at(-1)!.response).toMatchObject({ isError: true })
    },
  })

  scenario('identicalCalls: nor does a program make the call that the model may not make again', {
    script: [
      { toolCalls: [{ name: 'look', id: 'a' }] },
      { toolCalls: [{ name: 'look', id: 'b' }] },
      program('return tools.look().catch(({ code }) => code)'),
    ],
    tools: () => [look, programs([look])],
    client: () => ({ limits: { identicalCalls: 2 } }),
    check({ result, events }) {
      expect(resultIn(eventsOf(events, 'tool-result').at(-1)!.response.content)).toBe('limit')
      expect(result.status).toBe('limit')
    },
  })

  scenario('a long result is cut for the model; the program has it whole', {
    script: [program('return (await tools.long()).length'), 'Done.'],
    tools: () => [programs([tool({ name: 'long', execute: () => 'x'.repeat(5000) })])],
    client: () => ({ limits: { resultBytes: 500 } }),
    check: ({ prompts }) => expect(resultIn(toldByTools(prompts[1])[0]!.content)).toBe(5000),
  })

  scenario('a program that somebody must review does not run before', {
    script: [program('await tools.look(); return tools.pay({ amount: 5 })'), 'Done.'],
    tools: ({ log }) => [
      programs([tool({ name: 'look', execute: () => log.push('looked') }), pay(log)], {
        approval: true,
      }),
    ],
    resume: [() => ({ p: 'approve' }), () => ({ 'p/1': 'approve' })],
    check({ legs, log }) {
      expect(legs.map(({ result }) => result!.pending?.map(({ callId }) => callId))).toEqual([['p'], ['p/1'], undefined]) // prettier-ignore
      expect(log).toMatchObject(['looked', { amount: 5 }])
    },
  })
})
