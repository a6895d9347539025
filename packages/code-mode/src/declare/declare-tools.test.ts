import ts from 'typescript'
import type { JsonSchema } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { declareGlobals, declareTools, type DeclaredTool } from './declare-tools.ts'

const tool = (
  name: string,
  inputSchema: JsonSchema,
  more: Partial<DeclaredTool> = {},
): DeclaredTool => ({ name, description: '', inputSchema, ...more })

const input = (properties: JsonSchema['properties'], required: readonly string[] = []) =>
  ({ type: 'object', properties, required }) as JsonSchema

/** Library files are read once. */
const libraries = new Map<string, ts.SourceFile | undefined>()

/** What the compiler says to a program that is written against the declarations. */
function complaints(tools: readonly DeclaredTool[], program = ''): readonly string[] {
  const globals = declareGlobals({ hasSearch: true })
  const code = `${globals}\n${declareTools(tools).text}\nasync function program() {\n${program}\n}`
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, version) => {
    if (name === 'program.ts') return ts.createSourceFile(name, code, version)
    if (!libraries.has(name)) libraries.set(name, getSourceFile(name, version))
    return libraries.get(name)
  }
  const compiled = ts.createProgram(['program.ts'], options, host)
  const file = compiled.getSourceFile('program.ts')
  const said = [...compiled.getSyntacticDiagnostics(file), ...compiled.getSemanticDiagnostics(file)]
  return said.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

const WEATHER = tool(
  'weather',
  input(
    {
      city: { type: 'string', description: 'Where' },
      unit: { enum: ['c', 'f'], default: 'c' },
      at: { type: 'string', format: 'date-time' },
      days: { type: ['integer', 'null'] },
    },
    ['city'],
  ),
  {
    description: 'The weather of a city',
    outputSchema: {
      type: 'object',
      properties: {
        celsius: { type: 'number' },
        wind: { type: 'array', items: { type: 'number' } },
      },
      required: ['celsius'],
    },
  },
)

const NODE = {
  type: 'object',
  properties: {
    value: { type: 'string' },
    children: { type: 'array', items: { $ref: '#/$defs/node' } },
  },
  required: ['value'],
}

describe('declarations of tools', () => {
  it('are types with doc comments', () => {
    expect(declareTools([WEATHER])).toEqual({
      text: `declare const tools: {
  /** The weather of a city */
  weather(input: {
    /** Where */
    city: string
    /** (default "c") */
    unit?: "c" | "f"
    /** (date-time) */
    at?: string
    days?: number | null
  }): Promise<{
    celsius: number
    wind?: number[]
  }>
}`,
      tokens: 70,
    })
  })

  it('accept what is right and refuse what is wrong', () => {
    const right = `const { celsius, wind } = await tools.weather({ city: 'Oslo', unit: 'c', days: null })
const sum: number = celsius + (wind?.[0] ?? 0)
const [a, b] = await Promise.all([tools.weather({ city: 'a' }), tools.weather({ city: 'b' })])
try { await callTool('weather', { city: '' }) } catch (error) { if (error instanceof ToolError && error.code === 'denied') return [sum, a, b] }
return searchTools('pay')`
    expect(complaints([WEATHER], right)).toEqual([])
    for (const wrong of [
      'await tools.weather({})',
      'await tools.weather()',
      'await tools.weather({ city: 1 })',
      'await tools.weather({ city: "", unit: "k" })',
      'await tools.weather({ city: "", other: 1 })',
      'await tools.wether({ city: "" })',
      '(await tools.weather({ city: "" })).fahrenheit',
      'const text: string = (await tools.weather({ city: "" })).celsius',
    ])
      expect(complaints([WEATHER], wrong), wrong).toHaveLength(1)
  })

  it('leave the input out where nothing of it is required, and the output open where nobody knows it', () => {
    const tools = [tool('now', input({})), tool('list', input({ page: { type: 'integer' } }))]
    expect(complaints(tools, 'const a: unknown = await tools.now(); await tools.list()')).toEqual(
      [],
    )
    expect(complaints(tools, '(await tools.now()).year')).toHaveLength(1)
  })

  it('follow definitions that hold themselves, each named once', () => {
    const tree = { ...input({ root: { $ref: '#/$defs/node' } }, ['root']), $defs: { node: NODE } }
    const whole = {
      ...NODE,
      properties: { ...NODE.properties, children: { items: { $ref: '#' } } },
    }
    const other = { ...input({ n: { $ref: '#/$defs/node' } }), $defs: { node: { type: 'number' } } }
    const tools = [
      tool('a', tree as JsonSchema),
      tool('b', tree as JsonSchema, { outputSchema: whole as JsonSchema }),
      tool('c', other as JsonSchema),
    ]
    const { text } = declareTools(tools)
    expect(text.match(/^type (\w+)/gm)).toEqual(['type Node', 'type Node2', 'type Node3'])
    const right = `await tools.a({ root: { value: '', children: [{ value: '', children: [] }] } })
const { children } = await tools.b({ root: { value: '' } })
await tools.c({ n: 1 })
return children?.[0]?.children?.[0]?.value`
    expect(complaints(tools, right)).toEqual([])
    expect(complaints(tools, 'tools.a({ root: { value: "", children: [{}] } })')).toHaveLength(1)
  })

  it('stay sound where references lead nowhere, outside or in a circle', () => {
    const loose: JsonSchema = {
      ...input({
        a: { $ref: '#/$defs/none' },
        b: { $ref: 'https://example.com/schema' },
        c: { $ref: '#/$defs/round' },
        d: { $ref: '#/$defs/x~1y%20z' },
        e: { $ref: '#/properties/d' },
        f: { $ref: '#/$defs/1st' },
        g: { $ref: '#/$defs/promise' },
      }),
      $defs: {
        round: { $ref: '#/$defs/round' },
        'x/y z': { type: 'number' },
        '1st': { type: 'boolean' },
        promise: { type: 'string' },
      },
    }
    const right = 'tools.t({ a: 1, b: 2, c: 3, d: 4, e: 5, f: true, g: "" })'
    expect(complaints([tool('t', loose)], right)).toEqual([])
    expect(complaints([tool('t', loose)], 'tools.t({ d: "", e: "", f: 1, g: 1 })')).toHaveLength(4)
  })

  const TYPES: { readonly [what: string]: readonly [JsonSchema, string] } = {
    'any value': [{}, 'unknown'],
    'a type nobody knows': [{ type: 'date' as never }, 'unknown'],
    'values of all kinds': [{ enum: [1, 'a', null, true, [1], { a: 'b' }] }, '1 | "a" | null | true | [1] | { a: "b" }'], // prettier-ignore
    'one value': [{ const: 'x' }, '"x"'],
    'many values': [{ enum: Array.from({ length: 200 }, (_, n) => `${n}`) }, 'string'],
    'alternatives': [{ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] }, 'string | number'], // prettier-ignore
    'a list of alternatives': [{ items: { oneOf: [{ type: 'string' }, { type: 'null' }] } }, '(string | null)[]'], // prettier-ignore
    'a list of texts': [{ type: 'array', items: { const: 'a|b' } }, '"a|b"[]'],
    'a list of anything': [{ type: 'array' }, 'unknown[]'],
    'a tuple': [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 1 }, '[string, number?]'], // prettier-ignore
    'an open tuple': [{ type: 'array', prefixItems: [{ type: 'string' }] }, '[string?, ...unknown[]]'], // prettier-ignore
    'a dictionary': [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key: string]: number }'], // prettier-ignore
    'an open object': [{ type: 'object' }, '{ [key: string]: unknown }'],
    'an empty object': [{ type: 'object', additionalProperties: false }, '{}'],
    'all of': [{ allOf: [{ type: 'object', additionalProperties: { type: 'string' } }, { type: ['object', 'null'] }] }, '{ [key: string]: string } & ({ [key: string]: unknown } | null)'], // prettier-ignore
    'all of, with alternatives': [{ allOf: [{ enum: ['a', 'b'] }, { anyOf: [{ const: 'a' }, { const: 'c' }] }] }, '("a" | "b") & ("a" | "c")'], // prettier-ignore
    'what may be null': [{ type: 'string', nullable: true } as JsonSchema, 'string | null'],
    nothing: [{ not: {} }, 'unknown'],
  }
  for (const [what, [schema, type]] of Object.entries(TYPES))
    it(`are right for ${what}`, () => {
      const { text } = declareTools([tool('t', input({}), { outputSchema: schema })])
      expect(text).toContain(`Promise<${type}>`)
      expect(complaints([tool('t', input({ a: schema }), { outputSchema: schema })])).toEqual([])
    })

  it('let known members of an open object be of other types than the rest', () => {
    const open = { ...input({ id: { type: 'string' } }), additionalProperties: { type: 'number' } }
    expect(complaints([tool('t', open as JsonSchema)], 'tools.t({ id: "", more: 1 })')).toEqual([])
  })

  it('quote names that are no identifiers', () => {
    const odd = ['odd-name', 'a.b', '1st', '', 'a"b', '__proto__', 'constructor', 'é', 'x\ny']
    const properties = Object.fromEntries(odd.map((name) => [`${name}!`, { type: 'string' }]))
    const tools = odd.map((name) => tool(name, input(properties as never)))
    const calls = odd.map((name) => `tools[${JSON.stringify(name)}]({ ${JSON.stringify(`${name}!`)}: '' })`) // prettier-ignore
    expect(complaints(tools, calls.join('\n'))).toEqual([])
  })

  it('keep hostile words in their comments', () => {
    const hostile = [
      '*/ const stolen = 1 /*',
      '**//**/ }; declare const tools: any; /*',
      '*\u200b/ x /*',
      '*\u0000/ x',
      'line\n*/\nline',
      '\u2028*/\u2029',
      '*'.repeat(298) + '*/x',
      '\ud800*/',
    ]
    const tools = hostile.map((words, n) =>
      tool(`t${n}`, input({ a: { type: 'string', description: words } }), { description: words }),
    )
    expect(complaints(tools, 'return tools.t0({ a: "" })')).toEqual([])
    expect(complaints(tools, 'return [stolen, tools.other()]')).toHaveLength(2)
    const { text } = declareTools(tools)
    expect(text.match(/\*\//g)).toHaveLength(hostile.length * 2)
    expect(text).not.toMatch(/[\u200b\u2028\u2029\0]/)
  })

  it('cut words: those of a tool at 300 characters, those of a parameter at 120', () => {
    const long = `${'x'.repeat(118)}😀${'y'.repeat(400)}`
    const { text } = declareTools([
      tool('t', input({ a: { type: 'string', description: long } }), { description: long }),
    ])
    const [ofTool, ofParameter] = [...text.matchAll(/\/\*\* (.*) \*\//g)].map(([, words]) => words!)
    expect(ofTool).toHaveLength(300)
    expect(ofParameter).toBe(`${'x'.repeat(118)}…`)
  })

  it('leave deep schemas open, and end', () => {
    let deep: JsonSchema = { type: 'string' }
    for (let level = 0; level < 2_000; level++) deep = input({ a: deep })
    expect(declareTools([tool('t', deep)]).text.length).toBeLessThan(5_000)
  })

  it('take fewer tokens than the same tools as JSON', () => {
    const tools = Array.from({ length: 20 }, (_, n) => ({ ...WEATHER, name: `weather${n}` }))
    const { tokens, text } = declareTools(tools)
    expect(tokens).toBe(Math.ceil(text.length / 4))
    expect(tokens).toBeLessThan(JSON.stringify(tools).length / 4 / 1.3)
  })

  it('are empty without tools', () => {
    expect(declareTools([]).text).toBe('declare const tools: {}')
    expect(declareGlobals({ hasSearch: false })).not.toContain('searchTools')
  })
})
