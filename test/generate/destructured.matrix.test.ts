/** A destructured parameter is what a model sends: its properties, their defaults and their comments. */
import { writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import type { ToolCallback } from 'toolwright'
import type { Generation } from '../../packages/cli/src/generate/generation.ts'
import { sourceFolder } from './source-folder.ts'

const generate = sourceFolder()

const method = (
  signature: string,
  { declare = '', docs = '', body = '' } = {},
): string => `${declare}
export class Alarms {
  /**
   * Sets an alarm.
   * @tool${docs}
   */
  setAlarm(${signature}): string { ${body || "return ''"} }
}
`

const said = ({ warnings }: Generation): readonly string[] =>
  warnings.map(({ file, line, message }) => `${basename(file)}:${line} ${message}`)

/** The tool as it runs: the generated file, compiled and loaded. */
async function toolOf(generation: Generation, source: string): Promise<ToolCallback> {
  expect(generation.problems).toEqual([])
  const home = dirname(generation.output)
  const file = (name: string, text: string): string => {
    const path = join(home, `${name}.mjs`)
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
    })
    const library = pathToFileURL(
      join(import.meta.dirname, '../../packages/toolwright/src/index.ts'),
    )
    writeFileSync(path, outputText.replace("'./alarm-tools.js'", "'./source.mjs'").replace("'./alarm-tools.ts'", "'./source.mjs'").replace("'toolwright'", `'${library.href}'`)) // prettier-ignore
    return path
  }
  const { Alarms } = (await import(/* @vite-ignore */ file('source', source))) as {
    Alarms: new () => object
  }
  const { alarmsTools } = (await import(/* @vite-ignore */ file('tools', generation.text!))) as {
    alarmsTools: (instance: object) => readonly ToolCallback[]
  }
  return alarmsTools(new Alarms())[0]!
}

/** Whether the source and what was generated for it compile, also with exact optional properties. */
function expectToCompile({ source, output, text }: Generation): void {
  writeFileSync(output, text!)
  const config = join(dirname(dirname(source)), 'tsconfig.json')
  const { compilerOptions } = ts.readConfigFile(config, ts.sys.readFile).config as {
    compilerOptions: Record<string, unknown>
  }
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...compilerOptions, noEmit: true, exactOptionalPropertyTypes: true, skipLibCheck: true, allowImportingTsExtensions: true }, // prettier-ignore
    dirname(source),
  )
  const program = ts.createProgram([output], options)
  const own = [...program.getSemanticDiagnostics(program.getSourceFile(output))]
  expect(own.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual(
    [],
  )
}

it('its properties are the parameters, with their defaults', async () => {
  const source = method(
    `{ time, label = 'x', loud = false }: { time: Date; label?: string; loud?: boolean }`,
    {
      body: 'return `${time.getTime()} ${label} ${loud}`',
    },
  )
  const generation = generate(source)
  expect(said(generation)).toEqual([])
  expectToCompile(generation)
  const tool = await toolOf(generation, source)
  expect(tool.definition.inputSchema).toMatchObject({
    properties: {
      time: { type: 'string', format: 'date-time' },
      label: { type: 'string', default: 'x' },
      loud: { type: 'boolean', default: false },
    },
    required: ['time'],
  })
  expect(await tool.call('{"time":"1970-01-01T00:00:01Z"}')).toBe('1000 x false')
  expect(await tool.call('{"time":"1970-01-01T00:00:01Z","label":"up","loud":true}')).toBe(
    '1000 up true',
  )
  await expect(tool.call('{"input":{"time":"1970-01-01T00:00:01Z"}}')).rejects.toThrow(/time/)
})

it('of a type with a name, renamed, nested, partly taken, or with a rest: the type says what there is', async () => {
  const declare = `
export interface Options {
  /** When to ring */
  time: string
  place: { room?: string; floor: number }
  tags?: string[]
}`
  const source = method(`{ time: when, place: { room = 'hall', floor }, ...others }: Options`, {
    declare,
    body: 'return JSON.stringify([when, room, floor, others])',
  })
  const generation = generate(source)
  expect(said(generation)).toEqual([])
  expectToCompile(generation)
  const tool = await toolOf(generation, source)
  expect(tool.definition.inputSchema).toMatchObject({
    properties: {
      time: { type: 'string', description: 'When to ring' },
      place: { properties: { room: { default: 'hall' }, floor: { type: 'number' } } },
      tags: { type: 'array' },
    },
    required: ['time', 'place'],
  })
  expect(await tool.call('{"time":"a","place":{"floor":2},"tags":["b"]}')).toBe(
    '["a","hall",2,{"tags":["b"]}]',
  )
})

it('stands beside other parameters, whatever their order, and beside the context', async () => {
  const source = `import type { ToolContext } from 'toolwright'\n${method(
    `user: string, { at, note = 'none', 'x-y': odd }: { at?: Date; note?: string; 'x-y'?: number }, context: ToolContext, ...more: string[]`,
    { body: 'return JSON.stringify([user, at?.getTime(), note, odd, typeof context.get, more])' },
  )}`
  const generation = generate(source)
  expect(said(generation)).toEqual([])
  expectToCompile(generation)
  const tool = await toolOf(generation, source)
  const { properties, required } = tool.definition.inputSchema
  expect(Object.keys(properties!)).toEqual(['user', 'at', 'note', 'x-y', 'more'])
  expect(required).toEqual(['user'])
  expect(await tool.call('{"user":"u"}')).toBe('["u",null,"none",null,"function",[]]')
  expect(await tool.call('{"user":"u","at":"1970-01-01T00:00:01Z","x-y":1,"more":["m"]}')).toBe(
    '["u",1000,"none",1,"function",["m"]]',
  )
})

it('two of them stand beside each other', async () => {
  const source = method(
    `{ x, y }: { x: number; y: number }, { speed = 1 }: { speed?: number } = {}`,
    {
      body: 'return `${x} ${y} ${speed}`',
    },
  )
  const generation = generate(source)
  expect(said(generation)).toEqual([])
  expectToCompile(generation)
  const tool = await toolOf(generation, source)
  expect(tool.definition.inputSchema).toMatchObject({
    properties: { speed: { default: 1 } },
    required: ['x', 'y'],
  })
  expect(await tool.call('{"x":1,"y":2}')).toBe('1 2 1')
  expect(await tool.call('{"x":1,"y":2,"speed":3}')).toBe('1 2 3')
})

it('of a function is the same', () => {
  const { text, warnings } = generate(`
/**
 * Sets an alarm.
 * @tool
 */
export const setAlarm = ({ time = 'now' }: { time?: string } = {}): string => time
`)
  expect(warnings).toEqual([])
  expect(text).toContain("properties: { time: { type: 'string', default: 'now' } }")
  expect(text).toContain('execute: (input) => setAlarm(input)')
})

it('is described by its type, by @param under any name, and by comments in the pattern', () => {
  const source = method(
    `{ a, b, c, d, /** In the pattern */ e }: { /** In the type */ a: string; b: string; c: string; d?: string; e: string }`,
    {
      docs: `
   * @param b By its own name {@minLength 2}
   * @param options.c By the name of the whole {@maxLength 3}
   * @param options.d Dotted`,
    },
  )
  const { text, warnings } = generate(source)
  expect(warnings).toEqual([])
  const flat = text!.replaceAll(/\s+/g, ' ')
  expect(flat).toContain("a: { type: 'string', description: 'In the type' }")
  expect(flat).toContain("b: { type: 'string', minLength: 2, description: 'By its own name' }")
  expect(flat).toContain(
    "c: { type: 'string', maxLength: 3, description: 'By the name of the whole' }",
  )
  expect(flat).toContain("d: { type: 'string', description: 'Dotted' }")
  expect(flat).toContain("e: { type: 'string', description: 'In the pattern' }")
})

it('an example is written by the names of the properties', () => {
  const docs = `\n   * @example {"time": "07:00"}`
  expect(generate(method('{ time }: { time: string }', { docs })).text).toContain(
    "inputExamples: [{ time: '07:00' }]",
  )
  const nested = generate(
    method('{ time }: { time: string }', { docs: `\n   * @example {"input": {"time": "07:00"}}` }),
  )
  expect(nested.problems[0]?.message).toContain('does not fit its parameters')
})

it('that names what another parameter is called is a problem', () => {
  const { text, problems } = generate(method('time: Date, { time: when }: { time?: string }'))
  expect(text).toBeUndefined()
  expect(problems).toMatchObject([
    { line: 7, message: 'Alarms.setAlarm has two parameters that the model would know as time.' },
  ])
})

it.each([
  ['{ kind }: { kind: "a" } | { kind: "b"; more: number }', 'its type is not one object type'],
  ['{ time }: Alarm', 'it is an instance of the class Alarm'],
  ['{ time }: { time: string; [other: string]: string }', 'its type allows further properties'],
  [`{ time }: { time: string } = { time: 'now' }`, 'it has a default of its own'],
])('%s stays one object, which is said', (signature, why) => {
  const declare = 'export class Alarm { time = 1; ring(): void {} }'
  const generation = generate(method(signature, { declare }))
  expect(generation.text).toContain('input.input')
  expect(said(generation)).toEqual([
    expect.stringContaining(`The destructured parameter stays one object, "input": ${why}.`),
  ])
})

it('that stays one value is described by its @param', () => {
  const docs = '\n   * @param pair Both of them'
  const { text } = generate(method('[a, b]: [number, number]', { docs }))
  expect(text!.replaceAll(/\s+/g, ' ')).toContain("description: 'Both of them'")
  expect(text).toContain('pair')
})

it('a tag of a property counts as that of a parameter', () => {
  const docs = '\n   * @param time When {@required} {@format date}'
  const { text, warnings } = generate(method('{ time }: { time?: string }', { docs }))
  expect(warnings).toEqual([])
  expect(text!.replaceAll(/\s+/g, ' ')).toContain("required: ['time']")
  expect(text).toContain("format: 'date'")
})

it('a text about the whole is said not to be used', () => {
  const docs = `\n   * @param options What is wanted\n   * @param options.time When`
  const generation = generate(method('{ time }: { time: string }', { docs }))
  expect(generation.text).toContain("description: 'When'")
  expect(said(generation)).toEqual([
    'alarm-tools.ts:6 @param options is not used: the parameter is destructured, and the model sees its properties.',
  ])
})
