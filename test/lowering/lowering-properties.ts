/**
 * What must hold for every schema and every dialect:
 *
 * - A value that fits the lowered schema fits, once raised, the declared schema without what was reported as kept in
 *   the description or dropped (relaxed-schema.ts).
 * - A value that fits the declared schema can be said: some value fits the lowered schema and is raised to it, or
 *   something was reported as dropped.
 *
 * What fits is decided by the project's own checker and by one of somebody else; values on which the two do not agree
 * are not used.
 */
import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { compileSchema } from '../../packages/toolwright/src/schema/compile-schema.ts'
import { valueAt } from '../../packages/toolwright/src/schema/json-object.ts'
import type { JsonSchema } from '../../packages/toolwright/src/schema/json-schema.ts'
import { lowerFor, type LoweredFor } from '../../packages/toolwright/src/schema/lower-schema.ts'
import { raiseText, raiseValue } from '../../packages/toolwright/src/schema/lowering/raise.ts'
import { JsonRaiser } from '../../packages/toolwright/src/schema/lowering/json-raiser.ts'
import type { SchemaLanguage } from '../../packages/toolwright/src/schema/lowering/schema-rules.ts'
import { SchemaIndex } from '../../packages/toolwright/src/schema/schema-index.ts'
import { SchemaWalk } from '../../packages/toolwright/src/schema/schema-walk.ts'
import { relaxedSchema } from './relaxed-schema.ts'
import { chanceOf, Sampler } from './sample-value.ts'
import { countKeywords, schemas, type Schema } from './schema-arbitrary.ts'
import { isSame, unraised } from './unraise.ts'

export const LANGUAGES: readonly SchemaLanguage[] = [
  'openai',
  'openai-strict',
  'anthropic',
  'anthropic-strict',
  'google',
  'ollama',
]

export interface Tally {
  readonly keywords: Map<string, number>
  /** Values that fit a lowered schema and were raised. */
  raised: number
  /** Values of the declared schema that could be said. */
  said: number
  /** Those that could not, and were reported. */
  reported: number
}

const VALUES = 6

export function checkLowering(language: SchemaLanguage, runs: number, seed: number): Tally {
  const tally: Tally = { keywords: new Map(), raised: 0, said: 0, reported: 0 }
  fc.assert(
    fc.property(schemas, fc.nat(), (schema, chance) => {
      if (leadsToItself(schema, schema)) return
      countKeywords(schema, tally.keywords)
      const lowered = lowerFor(schema as JsonSchema, language)
      checkRaised(schema, lowered, { chance, tally })
      checkSaid(schema, lowered, { chance, tally })
    }),
    { numRuns: runs, seed },
  )
  return tally
}

/** What such a schema means is not defined: it asks of a value that it fits the schema itself. */
function leadsToItself(root: Schema, schema: unknown, open: readonly unknown[] = []): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if (open.includes(schema)) return true
  const { $ref, allOf, anyOf, oneOf, not, if: condition, then, else: other, dependentSchemas } = schema as Schema // prettier-ignore
  const target = typeof $ref === 'string' ? valueAt(root, $ref.split('/').slice(1)) : undefined
  const inner = [target, allOf, anyOf, oneOf, not, condition, then, other, Object.values(Object(dependentSchemas) as object)] // prettier-ignore
  return inner.flat().some((each) => leadsToItself(root, each, [...open, schema]))
}

interface Trial {
  readonly chance: number
  readonly tally: Tally
}

function checkRaised(
  schema: Schema,
  { raising, changes }: LoweredFor,
  { chance, tally }: Trial,
): void {
  // No dialect can say that nothing fits.
  if (text(raising.schema).includes('nothing fits here')) return
  const fitsLowered = fitting(raising.schema as Schema)
  const relaxed = relaxedSchema(schema, changes)
  const fitsRelaxed = fitting(relaxed)
  const sampler = new Sampler(raising.schema as Schema, chanceOf(chance))
  for (let count = 0; count < VALUES; count++) {
    const said = sampler.of(raising.schema)
    if (fitsLowered(said) !== true) continue
    const meant = raiseValue(raising, said)
    checkTexts(raising, said, meant)
    tally.raised++
    if (fitsRelaxed(meant) === false)
      throw new Error(`Raised, ${text(said)} is ${text(meant)}, which does not fit.\n${text({ lowered: raising.schema, changes, relaxed })}`) // prettier-ignore
  }
}

/** Texts are raised to the same, whole and in pieces. */
function checkTexts(raising: LoweredFor['raising'], said: unknown, meant: unknown): void {
  const json = JSON.stringify(said, undefined, 1)
  const whole = raiseText(raising, json)
  const raiser = new JsonRaiser(raising)
  const pieces = Array.from(json, (character) => raiser.push(character)).join('') + raiser.end()
  const again = new JsonRaiser(raising)
  const atOnce = again.push(json) + again.end()
  if (pieces !== atOnce) throw new Error(`In pieces ${json} is ${pieces}, at once ${atOnce}.`)
  for (const raised of [whole, pieces])
    if (!isSame(JSON.parse(raised), meant))
      throw new Error(`As text ${json} is raised to ${raised}, as a value to ${text(meant)}.`)
}

function checkSaid(
  schema: Schema,
  { raising, changes }: LoweredFor,
  { chance, tally }: Trial,
): void {
  const fitsDeclared = fitting(schema)
  const fitsLowered = fitting(raising.schema as Schema)
  const sampler = new Sampler(schema, chanceOf(chance + 1))
  const index = new SchemaIndex(raising.schema, {})
  const compiled = { index, formats: true, plans: new Map(), patterns: new Map() }
  const fitsPart = (part: object, value: unknown): boolean =>
    new SchemaWalk(compiled, 'check').visit(part, value).fits
  for (let count = 0; count < VALUES; count++) {
    const meant = sampler.of(schema)
    if (fitsDeclared(meant) !== true) continue
    const candidates = unraised(raising.plan, meant, fitsPart)
    const isSaid = candidates.some(
      (said) => fitsLowered(said) === true && isSame(raiseValue(raising, said), meant),
    )
    if (isSaid) tally.said++
    else if (changes.some(({ how }) => how === 'dropped')) tally.reported++
    else
      throw new Error(`${text(meant)} cannot be said; tried ${text(candidates)}.\n${text({ lowered: raising.schema, changes })}`) // prettier-ignore
  }
}

/** Whether a value fits; undefined if two checkers do not agree. */
function fitting(schema: Schema): (value: unknown) => boolean | undefined {
  const own = compileSchema(schema as JsonSchema, { coerce: false })
  let other: Validator | undefined
  return (value) => {
    try {
      other ??= new Validator(structuredClone(schema), '2020-12')
      const fits = own.check(value).ok
      return fits === other.validate(value).valid ? fits : undefined
    } catch {
      return undefined
    }
  }
}

const text = (value: unknown): string => JSON.stringify(value)
