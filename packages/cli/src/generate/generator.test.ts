/** The generated file as a person reads it, and what is said when there can be none. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Generation } from './generation.ts'
import { createGenerator } from './generator.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-generate-'))
afterAll(() => rmSync(folder, { recursive: true }))
const generator = createGenerator({ cwd: folder })

let count = 0
/** Generates for a source in a folder of its own. */
function generate(source: string, others: { readonly [name: string]: string } = {}): Generation {
  const home = join(folder, String(++count))
  const files = { 'alarm-tools.ts': source, ...others }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  return generator.generate([join(home, 'alarm-tools.ts')])[0]!
}

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
    import type { AlarmTools } from './alarm-tools.ts'

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

it('a type without JSON form is a problem with its place and what to write instead', () => {
  const { text, problems } = generate(`
export class AlarmTools {
  /** Rings. @tool */
  ring(when: Date, then: () => void, mark: symbol): void {}
}
`)
  expect(text).toBeUndefined()
  expect(problems).toMatchObject([
    { line: 4, column: 20, message: 'then is a function, which has no JSON form.' },
    { line: 4, column: 38, message: 'mark is a symbol, which has no JSON form.' },
  ])
  for (const { fix } of problems) expect(fix).toMatch(/^Take .*\.$/)
})
