/** Methods with `@Tool()`, and whether they compile under some options of the compiler. */
import { afterAll, describe, expect, it } from 'vitest'
import type { CompilerOptions } from 'typescript'
import { diagnosticsOf, programFolder } from '../types/diagnostics-of.ts'

const { folder, remove } = programFolder('decorator-modes')
afterAll(remove)

export const MEMBERS = {
  'no options': `@Tool() now(): string { return 'noon' }`,
  'options without schemas': `@Tool({ name: 'later', description: 'Later', returnDirect: true }) later(): number { return 1 }`,
  'an input': `@Tool({ input: CITY }) forecast({ city }: { city: string }): string { return city }`,
  'an input and the context': `@Tool({ input: CITY }) both({ city }: { city: string }, context: ToolContext) { return city + context.callId }`,
  'an input that it does not read': `@Tool({ input: CITY }) blind(): void {}`,
  'a JSON Schema': `@Tool({ input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } }) json({ n }: { n: number }) { return n }`,
  'only the context': `@Tool({ input: 'none', context: z.object({ tenant: z.string() }) }) tenant(_input: object, context: ToolContext<{ tenant: string }>) { return context.get('tenant') }`,
  'an output': `@Tool({ output: z.object({ unit: z.enum(['C', 'F']) }) }) async unit() { return { unit: 'C' } }`,
  'a converter': `@Tool({ input: CITY, resultConverter: (found: string[]) => found.join() }) async list({ city }: { city: string }) { return [city] }`,
  'a promise': `@Tool({ input: CITY }) async later2({ city }: { city: string }) { return city }`,
  'a generator': `@Tool({ input: CITY }) *steps({ city }: { city: string }) { yield 1; return city }`,
  'an async generator': `@Tool() async *asyncSteps() { yield 1; return 'done' }`,
  'a predicate': `@Tool({ input: CITY, approval: ({ city }) => city === 'Atlantis', lock: ({ city }) => city }) guarded({ city }: { city: string }) { return city }`,
  'parameters for the generator': `@Tool({ description: 'By signature' }) bySignature(city: string, day?: Date) { return city + String(day) }`,
  'a static method': `@Tool() static where(): string { return 'here' }`,
  'a static method with an input': `@Tool({ input: CITY }) static at({ city }: { city: string }): string { return city }`,
  'a private method': `@Tool({ input: CITY }) private kept({ city }: { city: string }): string { return city }`,
  'a protected method': `@Tool() protected shared(): string { return 'shared' }`,
  'an override': `@Tool({ description: 'Again' }) override inherited(): string { return 'again' }`,
  'an overloaded method': `over(input: number): string; over(input: { city: string }): string; @Tool({ input: CITY }) over(input: { city: string } | number): string { return String(input) }`,
}
export const HIDDEN = {
  'a #private method': `@Tool() #open(): string { return 'open' }`,
  'a #private method with an input': `@Tool({ input: CITY }) #found({ city }: { city: string }): string { return city }`,
  'a static #private method': `@Tool() static #find(): string { return 'found' }`,
}

export const source = (
  member: string,
): string => `import { Tool, type ToolContext } from 'toolwright'
import { z } from 'zod'
const CITY = z.object({ city: z.string() })
export type Used = ToolContext
class Base { @Tool() inherited(): string { return 'first' } }
export class Tools extends Base {
  readonly city = CITY
  ${member}
}
`

/** One program of all members: one run of the compiler for each mode. */
export function toolCompiles(
  mode: string,
  members: { readonly [name: string]: string },
  options: CompilerOptions,
): void {
  describe(`with ${mode} @Tool compiles on a method with`, () => {
    const found = diagnosticsOf(folder, Object.values(members).map(source), options)

    it.each(Object.keys(members).map((name, index) => [name, found[index]] as const))(
      '%s',
      (_member, diagnostics) => expect(diagnostics).toEqual([]),
    )
  })
}
