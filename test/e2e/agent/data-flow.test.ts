/** Data between calls: output paths, references, instances, scopes; and what waits for what. */
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import type { AgentMessage, Call, OutputMethod, ToolSchema } from 'toolwright/agent'
import type { Json } from 'toolwright'
import { appended, play, registryWith, SUMMARY, type Answer } from './agent-stage.ts'

const any = (...names: readonly string[]): ToolSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
})
const say: readonly AgentMessage[] = [{ type: 'text', text: 'Go' }]
const DONE: Answer = { output: { summary: 'done' } }

/** Runs calls in turns with a tool that gives back what it gets, and one that fails. */
async function flow(turns: readonly (readonly Call[])[], before: readonly AgentMessage[] = []) {
  const log: string[] = []
  const played = await play({
    answers: [...turns.map((calls) => ({ calls })), DONE],
    output: SUMMARY,
    context: [
      { type: 'tool', tool: { echo: any('value'), fail: any('value') } },
      ...before,
      ...say,
    ],
    registry: registryWith({
      echo: ({ value = null }) => (log.push(JSON.stringify(value)), value),
      fail: () => {
        throw new Error('broken')
      },
    }),
  })
  const errors = played.result.errors.map(({ error }) => error)
  return { ...played, log, errors, data: appended(played.result) }
}
const echo = (value: Json, more: Partial<Call> = {}): Call => ({ _tool: 'echo', value, ...more })

describe('an output path', () => {
  it('appends the result at its place, and never changes what was there', async () => {
    const before: AgentMessage = { type: 'data', data: { user: { name: 'Ada', status: 'active' } } }
    const { data, read, log } = await flow(
      [
        [echo('inactive', { _outputPath: '†data.user.status' })],
        [echo('†data.user.status'), echo('†data.user.name')],
      ],
      [before],
    )
    expect(data[0]).toEqual({ type: 'data', kind: 'data', data: { user: { status: 'inactive' } } })
    expect(before).toEqual({ type: 'data', data: { user: { name: 'Ada', status: 'active' } } })
    expect(log).toEqual(['"inactive"', '"inactive"', '"Ada"'])
    expect(read[1]).toContain('{"user":{"name":"Ada","status":"inactive"}}')
    expect(read[1]!.match(/¶data/g)).toHaveLength(1)
  })

  it.each<[OutputMethod | undefined, Json, Json, Json]>([
    [undefined, { a: 1, b: 2 }, { c: 3 }, { c: 3 }],
    ['set', { a: 1 }, 5, 5],
    ['merge', { a: { x: 1 }, b: 2 }, { a: { y: 2 } }, { a: { x: 1, y: 2 }, b: 2 }],
    ['assign', { a: { x: 1 }, b: 2 }, { a: { y: 2 } }, { a: { y: 2 }, b: 2 }],
    ['push', [1], [2], [1, [2]]],
    ['concat', [1], [2, 3], [1, 2, 3]],
  ])('joins by %s', async (...[method, old, value, expected]) => {
    const { log } = await flow([
      [echo(old, { _outputPath: '†state.x' })],
      [echo(value, { _outputPath: '†state.x', ...(method && { _outputMethod: method }) })],
      [echo('†state.x')],
    ])
    expect(JSON.parse(log.at(-1)!)).toEqual(expected)
  })

  it('starts a list where there is none', async () => {
    const { log } = await flow([
      [echo(1, { _outputPath: '†state.list', _outputMethod: 'push' })],
      [echo('†state.list')],
    ])
    expect(log.at(-1)).toBe('[1]')
  })

  it('may name several places', async () => {
    const { data } = await flow([[echo(7, { _outputPath: '†state.a && †data.b' })]])
    expect(data).toEqual([
      { type: 'data', kind: 'state', data: { a: 7 } },
      { type: 'data', kind: 'data', data: { b: 7 } },
    ])
  })

  it.each([
    ['sentiment', 'starts with †'],
    ['†state.__proto__.x', '"__proto__" is not allowed'],
    ['†constructor', '"constructor" is not allowed'],
    ['† state', 'reads †<kind>.<path>'],
  ])('%s is told to the model, and nothing runs', async (path, problem) => {
    const { errors, log } = await flow([[echo(1, { _outputPath: path })]])
    expect(errors).toEqual([expect.stringContaining(problem)])
    expect(log).toEqual([])
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  it('refuses an unknown method', async () => {
    const { errors } = await flow([
      [echo(1, { _outputPath: '†state.x', _outputMethod: 'replace' as never })],
    ])
    expect(errors).toEqual([expect.stringContaining('$._outputMethod')])
  })
})

describe('a reference', () => {
  const before: readonly AgentMessage[] = [
    { type: 'input', amount: 50 },
    { type: 'state', state: { user: { name: 'Ada', tags: ['x', 'y'] } } },
  ]
  it.each<[Json, Json]>([
    ['†input.amount', 50],
    ['†state.user.tags.1', 'y'],
    ['†state.user', { name: 'Ada', tags: ['x', 'y'] }],
    [
      ['†input.amount', { deep: '†state.user.name' }],
      [50, { deep: 'Ada' }],
    ],
    ['†state.none || †input.amount', 50],
    ['†state.user.name && †input.amount', 50],
    ['††state.user', '†state.user'],
    ['† is a dagger', '† is a dagger'],
    ['see †state.user', 'see †state.user'],
  ])('%j stands for %j', async (given, value) => {
    expect((await flow([[echo(given)]], before)).log).toEqual([JSON.stringify(value)])
  })

  it.each([
    ['†nowhere.x', 'there is no data of kind "nowhere"; there is input, state'],
    ['†state.user.age', 'there is nothing at †state.user.age'],
    ['†state.user.age && †input.amount', 'there is nothing at †state.user.age'],
    ['†state.__proto__', '"__proto__" is not allowed'],
    ['†state.user.name.constructor', '"constructor" is not allowed'],
    ['†state.user.tags.length', 'there is nothing at'],
    ['†state.user.name.length', 'there is nothing at'],
  ])('%s is told to the model, and nothing runs', async (given, problem) => {
    const { log, errors } = await flow([[echo(given)]], before)
    expect(log).toEqual([])
    expect(errors).toEqual([expect.stringContaining(problem)])
  })

  it('is checked by the tool’s schema after it was looked up', async () => {
    const double: ToolSchema = {
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    }
    const { result } = await play({
      answers: [
        {
          calls: [
            { _tool: 'double', n: '†input.amount' },
            { _tool: 'double', n: '†input.text' },
          ],
        },
        DONE,
      ],
      output: SUMMARY,
      context: [
        { type: 'tool', tool: { double } },
        { type: 'input', amount: 50, text: 'many' },
        ...say,
      ],
      registry: registryWith({ double: ({ n }) => Number(n) * 2 }),
    })
    expect(appended(result)).toMatchObject([
      {
        kind: 'error',
        data: { error: expect.stringContaining('$.n: expected number, received "many"') },
      },
      { kind: 'result', data: { result: 100 } },
    ])
  })
})

describe('calls of one answer', () => {
  const gates = () => {
    const log: string[] = []
    const open: { [name: string]: () => void } = {}
    const registry = registryWith({
      work: async ({ name, value = null }) => {
        log.push(`start ${String(name)}`)
        await new Promise<void>((resolve) => (open[String(name)] = resolve))
        log.push(`end ${String(name)}`)
        return value
      },
    })
    return { log, open, registry }
  }
  const work = (name: string, more: Partial<Call> = {}): Call => ({ _tool: 'work', name, ...more })
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  const started = (calls: readonly Call[], registry: ReturnType<typeof gates>['registry']) =>
    play({
      answers: [{ calls }, DONE],
      output: SUMMARY,
      context: [{ type: 'tool', tool: { work: any('name', 'value') } }, ...say],
      registry,
    })

  it('run together, unless one reads what another writes', async () => {
    const { log, open, registry } = gates()
    const run = started(
      [
        work('reader', { value: '†state.a' }),
        work('writer', { _outputPath: '†state.a', value: 1 }),
        work('other'),
      ],
      registry,
    )
    await settled()
    expect(log).toEqual(['start writer', 'start other'])
    open.other!()
    open.writer!()
    await settled()
    expect(log).toEqual(['start writer', 'start other', 'end other', 'end writer', 'start reader'])
    open.reader!()
    const { result } = await run
    // Appended as they ended.
    expect(appended(result)).toEqual([
      { type: 'data', kind: 'result', data: { tool: 'work', result: null } },
      { type: 'data', kind: 'state', data: { a: 1 } },
      { type: 'data', kind: 'result', data: { tool: 'work', result: 1 } },
    ])
  })

  it('of one instance do not wait for those of another', async () => {
    const { log, open, registry } = gates()
    const run = play({
      answers: [
        {
          calls: [
            work('reader', { value: '†state.a', _instance: '②' }),
            work('writer', { _outputPath: '†state.a', value: 1, _instance: '①' }),
          ],
        },
        DONE,
      ],
      output: SUMMARY,
      context: [
        { type: 'tool', tool: { work: any('name', 'value') } },
        { type: 'state', _instance: '①', state: { a: 0 } },
        { type: 'state', _instance: '②', state: { a: 0 } },
        ...say,
      ],
      registry,
    })
    await settled()
    expect(log).toEqual(['start reader', 'start writer'])
    open.reader!()
    open.writer!()
    await run
  })

  it('run one after another when only one may run at a time', async () => {
    const { log, open, registry } = gates()
    const run = play({
      answers: [{ calls: [work('a'), work('b')] }, DONE],
      output: SUMMARY,
      context: [{ type: 'tool', tool: { work: any('name') } }, ...say],
      registry,
      limits: { parallel: 1 },
    })
    await settled()
    expect(log).toEqual(['start a'])
    open.a!()
    await settled()
    open.b!()
    await run
    expect(log).toEqual(['start a', 'end a', 'start b', 'end b'])
  })

  it('pass values on in one turn, however long the chain', async () => {
    const { log } = await flow([
      [
        echo('†state.b', { _outputPath: '†state.c' }),
        echo('†state.a', { _outputPath: '†state.b' }),
        echo('first', { _outputPath: '†state.a' }),
        echo('†state.c'),
      ],
    ])
    expect(log).toEqual(Array(4).fill('"first"'))
  })

  it('that should write what another reads, and fail, leave it unread', async () => {
    const { log, errors } = await flow(
      [
        [
          { _tool: 'fail', _outputPath: '†state.x' },
          echo('†state.x'),
          echo('†state.x || †state.y'),
        ],
      ],
      [{ type: 'state', state: { x: 'stale', y: 'other' } }],
    )
    expect(errors).toEqual([
      'broken',
      expect.stringContaining('the call that should write †state.x failed'),
    ])
    expect(log).toEqual(['"other"'])
  })

  it('that wait for each other go in the order the model gave them', async () => {
    const { log, errors } = await flow(
      [
        [
          echo('†state.x', { _outputPath: '†state.x' }),
          echo('†state.x', { _outputPath: '†state.x' }),
        ],
      ],
      [{ type: 'state', state: { x: 1 } }],
    )
    expect(log).toEqual(['1', '1'])
    expect(errors).toEqual([])
  })
})

describe('an instance', () => {
  const before: readonly AgentMessage[] = [
    { type: 'state', state: { lang: 'en', greeting: 'Hello' } },
    { type: 'state', _instance: '①', state: { lang: 'ru' } },
    { type: 'state', _instance: '②', state: { lang: 'de' } },
  ]

  it('reads its own before what belongs to all, and never another’s', async () => {
    const { log } = await flow(
      [
        [
          echo('†state.lang', { _instance: '①' }),
          echo('†state.lang', { _instance: '②' }),
          echo('†state.greeting', { _instance: '②' }),
          echo('†state.lang'),
        ],
      ],
      before,
    )
    expect(log).toEqual(['"ru"', '"de"', '"Hello"', '"en"'])
  })

  it('writes for itself only', async () => {
    const { log, data, read } = await flow(
      [
        [echo('fr', { _instance: '①', _outputPath: '†state.lang' })],
        [
          echo('†state.lang', { _instance: '②' }),
          echo('†state.lang'),
          echo('†state.lang', { _instance: '①' }),
        ],
      ],
      before,
    )
    expect(data[0]).toEqual({ type: 'data', kind: 'state', data: { lang: 'fr' }, _instance: '①' })
    expect(log.slice(1)).toEqual(['"de"', '"en"', '"fr"'])
    expect(read[1]).toContain('## Data: ¶state (instance ①)')
  })

  it('that does not exist is told to the model', async () => {
    const { errors } = await flow([[echo(1, { _instance: '③' })]], before)
    expect(errors).toEqual([
      expect.stringContaining('$._instance: expected one of ①, ②, received "③"'),
    ])
  })
})

describe('scopes', () => {
  const seenWith = async (tool: ToolSchema, call: Partial<Call>): Promise<unknown> => {
    let seen: unknown
    await play({
      answers: [{ calls: [{ _tool: 'look', ...call }] }, DONE],
      output: SUMMARY,
      context: [
        { type: 'tool', tool: { look: tool } },
        { type: 'input', input: { a: 1 } },
        { type: 'state', state: { b: 2 } },
        { type: 'state', _instance: '①', state: { c: 3 } },
        { type: 'state', _instance: '②', state: { d: 4 } },
        ...say,
      ],
      registry: registryWith({ look: (_call, _tool, context) => void (seen = context) }),
    })
    return seen
  }

  it('let through what the tool says, of its own instance', async () => {
    expect(await seenWith({ type: 'object', _scopes: ['state'] }, { _instance: '①' })).toEqual([
      { type: 'state', state: { b: 2 } },
      { type: 'state', _instance: '①', state: { c: 3 } },
    ])
  })

  it('may be chosen by the model where the tool lets it', async () => {
    const tool: ToolSchema = {
      type: 'object',
      properties: { _scopes: { type: 'array', items: { enum: ['input'] } } },
    }
    expect(await seenWith(tool, { _scopes: ['input'] })).toEqual([
      { type: 'input', input: { a: 1 } },
    ])
    expect(await seenWith(tool, {})).toEqual([])
  })
})

describe('folding', () => {
  it('of writes in turn gives what a program would have in a plain object', async () => {
    const key = fc.constantFrom('a', 'b', 'c')
    const write = fc.record({
      path: fc.array(key, { maxLength: 2 }),
      value: fc.oneof(fc.integer(), fc.dictionary(key, fc.integer(), { maxKeys: 2 })),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 6 }), async (writes) => {
        const { result, log } = await flow([
          ...writes.map(({ path, value }) => [
            echo(value, { _outputPath: ['†state', ...path].join('.') }),
          ]),
          [echo('†state')],
        ])
        let expected: Json = {}
        for (const { path, value } of writes) expected = written(expected, path, value)
        expect(JSON.parse(log.at(-1)!)).toEqual(expected)
        expect(result.errors).toEqual([])
      }),
      { numRuns: 30 },
    )
  })
})

/** What a program would do with a plain object. */
function written(old: Json, [key, ...rest]: readonly string[], value: Json): Json {
  if (key === undefined) return value
  const base =
    typeof old === 'object' && old !== null && !Array.isArray(old)
      ? (old as { readonly [key: string]: Json })
      : {}
  return { ...base, [key]: written(base[key] ?? {}, rest, value) }
}
