/**
 * A model writes a solution as it likes: meta fields of any kind, null for what it leaves out, methods that do
 * not exist. Each call is told what is wrong with it, or runs; nothing of it is a TypeError from inside.
 */
import { describe, expect, it } from 'vitest'
import { ToolwrightError, type Json } from 'toolwright'
import {
  agentRegistry,
  requestAgent,
  runAgent,
  type AgentMessage,
  type AgentRegistry,
  type AgentResult,
} from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import { spoiled, WRONG } from './wrong-kind.ts'

const OUTPUT = { type: 'string' } as const
const TOOLS: AgentMessage = {
  type: 'tool',
  tool: {
    note: { type: 'object', properties: { text: { type: 'string' } } },
    think: {
      type: 'object',
      properties: { text: { type: 'string' }, _output: { type: 'string' } },
      _activity: '',
    },
  },
}
const CONTEXT: readonly AgentMessage[] = [
  TOOLS,
  { type: 'state', state: { user: 'Ada' } },
  { type: 'text', text: 'Go' },
]
const DONE = JSON.stringify({ meta: { version: '2' }, calls: [], output: 'done' })

function registryOf(ran: unknown[], returned: unknown = 'noted'): AgentRegistry {
  const registry = agentRegistry()
  registry.activity('note', (call) => {
    ran.push(call.text)
    return returned as Json
  })
  return registry
}

const solutionOf = (calls: Json): string =>
  JSON.stringify({ meta: { version: '1' }, calls, output: null })

interface Played {
  readonly ran: readonly unknown[]
  readonly result: AgentResult<string>
  readonly told: string
}

/** One answer with these calls, then one that is done. */
async function play(calls: Json, returned?: unknown): Promise<Played> {
  const ran: unknown[] = []
  const model = scriptedModel([solutionOf(calls), DONE, DONE, DONE])
  const config = { model, registry: registryOf(ran, returned) }
  const result = (await runAgent(config, OUTPUT, CONTEXT)) as AgentResult<string>
  return { ran, result, told: JSON.stringify(model.prompts.at(-1)) }
}

async function rawFailure(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (thrown) {
    return ToolwrightError.is(thrown) ? undefined : thrown
  }
}

const CALLS: Json = [
  {
    _tool: 'note',
    text: 'a',
    _reasoningForCall: 'so',
    _outputPath: '†state.list',
    _outputMethod: 'push',
    _instance: null,
    _scopes: null,
  },
  { _tool: 'think', text: '†state.user', _output: 'hm', _outputPath: '†state.hm' },
]

describe('any field of any kind in a solution', () => {
  const solution: Json = { meta: { version: '1' }, calls: CALLS, output: null }

  it('is told to the model, or an error of the catalogue, in the loop', async () => {
    for (const { what, value } of spoiled(solution)) {
      const config = {
        model: scriptedModel([JSON.stringify(value) ?? '', DONE, DONE, DONE, DONE]),
        registry: registryOf([]),
      }
      const thrown = await rawFailure(() => runAgent(config, OUTPUT, CONTEXT))
      expect(thrown, what).toBeUndefined()
    }
  })

  it('is told to the model, or an error of the catalogue, in one step', async () => {
    for (const { what, value } of spoiled(solution)) {
      const config = {
        model: scriptedModel([JSON.stringify(value) ?? '', DONE, DONE]),
        registry: registryOf([]),
      }
      const thrown = await rawFailure(() => requestAgent(config, OUTPUT, CONTEXT))
      expect(thrown, what).toBeUndefined()
    }
  })
})

describe('a meta field of a call', () => {
  it('that is null is left out: the call runs', async () => {
    const meta = {
      _outputPath: null,
      _outputMethod: null,
      _instance: null,
      _reasoningForCall: null,
    }
    for (const [field, value] of [...Object.entries(meta), ['all', null] as const]) {
      const given = field === 'all' ? meta : { [field]: value }
      const { ran, result } = await play([{ _tool: 'note', text: 'a', ...given }])
      expect([ran, result.errors, result.output]).toEqual([['a'], [], 'done'])
    }
  })

  for (const method of [
    'replace',
    'constructor',
    '__proto__',
    'toString',
    '',
    7,
    ['set'],
    {},
  ] as const)
    it(`_outputMethod ${JSON.stringify(method)} is told to the model, and nothing runs`, async () => {
      for (const call of [
        { _tool: 'note', text: 'a', _outputPath: '†state.x', _outputMethod: method },
        { _tool: 'think', _output: 'hm', _outputPath: '†state.x', _outputMethod: method },
      ]) {
        const { ran, result, told } = await play([call as never])
        expect(ran).toEqual([])
        expect(result.errors).toMatchObject([
          { error: expect.stringContaining('$._outputMethod: expected one of set, merge') },
        ])
        expect(told).toContain('$._outputMethod')
      }
    })

  for (const path of [7, true, ['†state.x'], {}, '', 'state'] as const)
    it(`_outputPath ${JSON.stringify(path)} is told to the model, and nothing runs`, async () => {
      const { ran, result } = await play([{ _tool: 'note', text: 'a', _outputPath: path as never }])
      expect(ran).toEqual([])
      expect(result.errors).toMatchObject([{ error: expect.stringContaining('$._outputPath') }])
    })

  for (const instance of [7, true, [], {}, 'nobody'] as const)
    it(`_instance ${JSON.stringify(instance)} is told to the model, and nothing runs`, async () => {
      const { ran, result } = await play([
        { _tool: 'note', text: 'a', _instance: instance as never },
      ])
      expect(ran).toEqual([])
      expect(result.errors).toMatchObject([{ error: expect.stringContaining('$._instance') }])
    })
})

describe('a message of a program', () => {
  const data: Json = {
    type: 'data',
    kind: 'state',
    data: { a: 1 },
    description: 'd',
    _instance: 'one',
    _outputMethod: 'merge',
    _date: '2026-01-01',
    _call: { _tool: 'note', _outputPath: '†state.a', _outputMethod: 'set' },
  }

  it('with a field of any kind is read, or an error that names it', async () => {
    for (const { what, value } of spoiled(data)) {
      const context = [...CONTEXT, value as AgentMessage]
      const config = { model: scriptedModel([DONE]), registry: registryOf([]) }
      const thrown = await rawFailure(() => runAgent(config, OUTPUT, context))
      expect(thrown, what).toBeUndefined()
    }
  })

  it('that an activity returns is read too, or told to the model', async () => {
    for (const { what, value } of spoiled(data)) {
      const calls: Json = [{ _tool: 'note', text: 'a' }]
      expect(await rawFailure(() => play(calls, value)), what).toBeUndefined()
    }
    for (const value of WRONG)
      expect(await rawFailure(() => play([{ _tool: 'note' }], value))).toBeUndefined()
  })

  it('with an unknown _outputMethod is an error that says which there are', async () => {
    for (const method of ['replace', 'constructor', '__proto__']) {
      const context = [
        ...CONTEXT,
        { type: 'data', kind: 'state', data: {}, _outputMethod: method } as never,
      ]
      const config = { model: scriptedModel([DONE]), registry: registryOf([]) }
      await expect(runAgent(config, OUTPUT, context)).rejects.toMatchObject({
        code: 'agent-context',
        message: expect.stringContaining('set, merge, assign, push, concat'),
      })
    }
  })
})
