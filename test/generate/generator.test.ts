/** The generated file as a person reads it, and what is said when there can be none. */
import { expect, it } from 'vitest'
import { sourceFolder } from './source-folder.ts'

const generate = sourceFolder()

it('a tagged method becomes a tool that a person likes to read', () => {
  const { text, problems, output } = generate(`
export class AlarmTools {
  /**
   * Set a user alarm for the given time.
   * @tool
   * @param time When to ring
   */
  setAlarm(time: Date, label?: string): void {}
}
`)
  expect(problems).toEqual([])
  expect(output.endsWith('alarm-tools.tools.ts')).toBe(true)
  expect(text).toMatchInlineSnapshot(`
    "// Written by \`toolwright generate\` from alarm-tools.ts. Change that file and run it again.
    import { tool, type ToolCallback } from 'toolwright'
    import type { AlarmTools } from './alarm-tools.js'

    /** The tools of an AlarmTools. */
    export const alarmTools = (instance: AlarmTools): readonly ToolCallback[] => [
      tool({
        name: 'setAlarm',
        description: 'Set a user alarm for the given time.',
        input: {
          type: 'object',
          properties: {
            time: { type: 'string', format: 'date-time', description: 'When to ring' },
            label: { type: 'string' },
          },
          required: ['time'],
          additionalProperties: false,
        },
        execute: ({ time, label }) => instance.setAlarm(new Date(time), label),
      }),
    ]

    type Same<Now, Then> = [Now, Then] extends [Then, Now] ? true : 'changed: run toolwright generate'

    type AllTrue<Checks extends readonly true[]> = Checks

    /** Does not compile once the source has other parameters or properties: generate again. */
    export type AlarmToolsUnchanged = AllTrue<[
      Same<Parameters<AlarmTools['setAlarm']>['length'], 1 | 2>,
    ]>
    "
  `)
})

const named = (name: string): string => `
export class ${name} {
  /**
   * Rings.
   * @tool
   */
  ring(): void {}
}
`

it.each([
  ['AlarmTools', 'alarmTools'],
  ['Alarm', 'alarmTools'],
  ['HTTPService', 'hTTPServiceTools'],
  ['A', 'aTools'],
  ['Alarmtools', 'alarmtoolsTools'],
])('the tools of %s are %s', (name, exported) => {
  expect(generate(named(name)).text).toContain(`export const ${exported} = (instance: ${name})`)
})

it('an exported function is a ready tool, also as a constant or by default', () => {
  const { text } = generate(`
/**
 * Adds.
 * @tool
 */
export function add(a: number, b = 5): number { return a + b }
/**
 * Shouts.
 * @tool
 */
export const shout = (text: string): string => text
/**
 * Rings.
 * @tool
 */
export default function ring(): void {}
`)
  expect(text).toContain("import { add, default as ring, shout } from './alarm-tools.js'")
  expect(text).toContain('export const addTool: ToolCallback = tool({')
  expect(text).toContain("b: { type: 'number', default: 5 }")
  expect(text).toContain('execute: ({ text }) => shout(text)')
  expect(text).toContain('execute: () => ring()')
})

it('what is exported twice is offered once', () => {
  const { text, problems } = generate(`${named('Alarm')}\nexport default Alarm`)
  expect(problems).toEqual([])
  expect(text!.match(/export const \w+/g)).toEqual(['export const alarmTools'])
})

it('static methods are called on the class, and a class with nothing else takes no instance', () => {
  const { text } = generate(`
export class Clock {
  /**
   * Tells the time.
   * @tool
   * @name clock
   */
  static now(): Date { return new Date() }
}
`)
  expect(text).toContain("import { Clock } from './alarm-tools.js'")
  expect(text).toContain('export const clockTools = (): readonly ToolCallback[] => [')
  expect(text).toContain("name: 'clock'")
  expect(text).toContain('execute: () => Clock.now()')
})

it('inherited methods are offered by the subclass, with its type arguments; overrides replace', () => {
  const { text, problems } = generate(`
export class Repository<Item> {
  /**
   * Saves one.
   * @tool
   */
  save(item: Item): void {}
  /**
   * Finds one.
   * @tool
   */
  find(id: string): Item | undefined { return undefined }
}
export interface Order { id: string; at: Date }
export class Orders extends Repository<Order> {
  override find(id: string, deep?: boolean): Order | undefined { return undefined }
}
`)
  expect(problems).toEqual([])
  expect(text!.match(/export const \w+/g)).toEqual(['export const ordersTools'])
  expect(text).toContain('execute: ({ item }) => instance.save(reviveOrder(item))')
  expect(text).toContain('execute: ({ id, deep }) => instance.find(id, deep) ?? null')
})

it('a decorated method without input is a tool, its literal options win; one with input is left alone', () => {
  const { text, problems } = generate(`
import { Tool } from 'toolwright'
export class Alarms {
  /** Rings, says the comment. */
  @Tool({ name: 'bell', description: 'Rings' + ' the bell', hints: { idempotent: true }, timeoutMs: 5 })
  ring(times: number): void {}
  @Tool({ input: { type: 'object', properties: {} } })
  alone(input: object): void {}
}
`)
  expect(problems).toEqual([])
  expect(text).toContain("name: 'bell',\n    description: 'Rings the bell',")
  expect(text).toContain('hints: { idempotent: true },\n    timeoutMs: 5,')
  expect(text).not.toContain('alone')
})

it('the tool context is left out of the schema and handed on, whatever it is called', () => {
  const { text, problems } = generate(`
import type { ToolContext as Ctx } from 'toolwright'
export class Alarms {
  /**
   * Rings.
   * @tool
   */
  ring(first: Ctx<{ tenant: string; since: Date }>, times: number, context?: Ctx): void {}
}
`)
  expect(problems).toEqual([])
  expect(text).toContain("properties: { times: { type: 'number' } }")
  expect(text).toContain('execute: ({ times }, context) => instance.ring(context, times, context)')
  expect(text).toContain("properties: { tenant: { type: 'string' }, since: {} }")
  expect(text).toContain('context: ringContext,')
})

it('a method whose name is no identifier is called by its quoted name', () => {
  const { text } = generate(`
export class Alarms {
  /**
   * Rings.
   * @tool
   * @name ringAt
   */
  'ring at'(when: [Date, Date?]): void {}
}
`)
  expect(text).toContain('const ringAtInput: TypedJsonSchema<')
  expect(text).toContain("instance['ring at'](")
})

it('names that the file uses itself are taken by way of the input', () => {
  const { text } = generate(`
export class Alarms {
  /**
   * Rings.
   * @tool
   */
  ring(instance: string, Date: Date): void {}
}
`)
  expect(text).toContain('execute: (input) => instance.ring(input.instance, new Date(input.Date))')
})

it('the same source gives the same text, alone or beside others, and once more', () => {
  const source = `
export type B = 'z' | 'a' | 'm'
export class Alarms {
  /**
   * Rings.
   * @tool
   */
  ring(a: B | number | null, b?: 'm' | 'a' | B): void {}
}
`
  const before = generate(source).text
  generate(`export type C = 'm' | 'z'\nexport type D = 'a' | 'm' | 'z' | null | number`)
  expect(generate(source).text).toBe(before)
  expect(before).toContain("enum: ['z', 'a', 'm']")
})
