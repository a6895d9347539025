/** For any set of tools and any output: what the composed schema allows is read and can be run; one wrong field is found. */
import { Validator, type Schema } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runAgent, agentRegistry } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import type { Json } from '../../messages/json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AgentMessage, Call, ToolSchema } from '../agent-message.ts'
import { compose } from '../compose/compose-schema.ts'
import type { Composed } from '../compose/composed.ts'
import { readContext } from '../context/read-message.ts'
import { readSolution, type ReadSolution } from './read-solution.ts'

/** A schema with a value that fits and one that nothing can make fit. */
interface Field {
  readonly schema: JsonSchema
  readonly good: Json
  readonly bad: Json
}

const word = fc.stringMatching(/^[a-z]{1,6}$/)
const scalar: fc.Arbitrary<Field> = fc.oneof(
  fc
    .string()
    .filter((text) => !text.startsWith('†'))
    .map((good) => ({ schema: { type: 'string' as const }, good, bad: { no: 1 } })),
  fc.integer().map((good) => ({ schema: { type: 'integer' as const }, good, bad: 'no number' })),
  fc.boolean().map((good) => ({ schema: { type: 'boolean' as const }, good, bad: 'perhaps' })),
  word.map((good) => ({ schema: { enum: [good, 'other'] }, good, bad: 'NEITHER' })),
)
const list: fc.Arbitrary<Field> = fc.tuple(scalar, fc.nat(3)).map(([item, length]) => ({
  schema: { type: 'array', items: item.schema },
  good: Array.from({ length }, () => item.good),
  bad: [item.good, item.bad],
}))

interface Member extends Field {
  readonly name: string
  readonly required: boolean
  readonly given: boolean
}

const members = (field: fc.Arbitrary<Field>): fc.Arbitrary<readonly Member[]> =>
  fc.uniqueArray(
    fc
      .record({ name: word, field, required: fc.boolean(), given: fc.boolean() })
      .map(({ field: own, ...rest }) => ({ ...own, ...rest })),
    { selector: ({ name }) => name, maxLength: 4 },
  )

const objectField = (fields: readonly Member[]): Field => ({
  schema: objectSchema(fields),
  good: valuesOf(fields),
  bad: 'no object',
})
const object: fc.Arbitrary<Field> = members(scalar).map(objectField)
const field: fc.Arbitrary<Field> = fc.oneof(scalar, list, object)

const objectSchema = (fields: readonly Member[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
})

const valuesOf = (fields: readonly Member[]): { readonly [name: string]: Json } =>
  Object.fromEntries(
    fields.filter(({ required, given }) => required || given).map(({ name, good }) => [name, good]),
  )

interface RandomTool {
  readonly name: string
  readonly fields: readonly Member[]
  readonly result: Field
  readonly isLatent: boolean
}

const randomTool: fc.Arbitrary<RandomTool> = fc.record({
  name: word,
  fields: members(field),
  result: object,
  isLatent: fc.boolean(),
})

interface Case {
  readonly tools: readonly RandomTool[]
  readonly calls: readonly Call[]
  readonly output: Field | undefined
  readonly gives: boolean
}

const randomCase: fc.Arbitrary<Case> = fc
  .record({
    tools: fc.uniqueArray(randomTool, { selector: ({ name }) => name, minLength: 1, maxLength: 4 }),
    picks: fc.array(fc.nat(), { maxLength: 3 }),
    output: fc.option(field, { nil: undefined }),
    gives: fc.boolean(),
  })
  .map(({ tools, picks, output, gives }) => ({
    tools,
    calls: picks.map((pick) => callOf(tools[pick % tools.length]!)),
    output,
    gives,
  }))
  // With an output schema, an answer of nothing is no answer.
  .filter(({ calls, output, gives }) => output === undefined || gives || calls.length > 0)

const callOf = ({ name, fields, result, isLatent }: RandomTool): Call => ({
  _tool: name,
  ...valuesOf(fields),
  ...(isLatent && { _output: result.good }),
})

function schemaOf({ fields, result }: RandomTool): ToolSchema {
  const { properties, required = [] } = objectSchema(fields)
  return {
    type: 'object',
    properties: { ...properties, _output: result.schema },
    required: [...required, '_output'],
  }
}

const registryFor = (tools: readonly RandomTool[], ran: string[] = []) => {
  const registry = agentRegistry()
  for (const { name, isLatent, result } of tools)
    if (!isLatent) registry.activity(name, () => (ran.push(name), result.good))
  return registry
}

const contextOf = (tools: readonly RandomTool[]): readonly AgentMessage[] => [
  { type: 'tool', tool: Object.fromEntries(tools.map((tool) => [tool.name, schemaOf(tool)])) },
  { type: 'text', text: 'Go' },
]

const composedOf = ({ tools, output }: Case, strict = false): Composed =>
  compose({
    output: output?.schema,
    entries: readContext(contextOf(tools)),
    registry: registryFor(tools).snapshot(),
    strict,
  })

const answerOf = ({ calls, output, gives }: Case): { [part: string]: Json } => ({
  meta: { version: '1' },
  calls: calls as unknown as Json,
  ...(output && { output: gives ? output.good : null }),
})

const read = (composed: Composed, answer: unknown, { output }: Case): Promise<ReadSolution> =>
  readSolution(composed, answer, { output: output?.schema, calls: true })

/** Whether another validator, which coerces nothing, agrees. */
const fits = (schema: JsonSchema, answer: unknown): boolean =>
  new Validator(schema as Schema, '2020-12').validate(answer).valid

describe('an answer that the composed schema allows', () => {
  it('is read as it is', async () => {
    await fc.assert(
      fc.asyncProperty(randomCase, async (random) => {
        const composed = composedOf(random)
        const answer = answerOf(random)
        expect(fits(composed.sent, answer)).toBe(true)
        expect(await read(composed, answer, random)).toMatchObject({
          ok: true,
          solution: { meta: { version: '1' }, calls: random.calls, output: answer.output ?? null },
        })
      }),
    )
  })

  it('runs: every call of code once, and nothing fails', async () => {
    await fc.assert(
      fc.asyncProperty(randomCase, async (random) => {
        const ran: string[] = []
        const rest = random.output ? { output: random.output.good } : {}
        const steps = [answerOf(random), { meta: {}, calls: [], ...rest }].map((step) =>
          JSON.stringify(step),
        )
        const model = scriptedModel(steps, { capabilities: { structuredOutput: true } })
        const config = {
          model,
          registry: registryFor(random.tools, ran),
          limits: { identicalCalls: 'unlimited' as const },
        }
        const { errors, calls, output } = await runAgent(
          config,
          random.output?.schema,
          contextOf(random.tools),
        )
        expect(errors).toEqual([])
        expect(calls).toEqual(random.calls)
        expect(output).toEqual(random.output?.good ?? null)
        const code = random.calls.filter(
          ({ _tool }) => !random.tools.find(({ name }) => name === _tool)!.isLatent,
        )
        expect(ran.toSorted()).toEqual(code.map(({ _tool }) => _tool).toSorted())
      }),
      { numRuns: 60 },
    )
  })

  it('of the strict form is read as the answer of the plain one', async () => {
    await fc.assert(
      fc.asyncProperty(randomCase, async (random) => {
        const composed = composedOf(random, true)
        const strict = filled(answerOf(random), composed)
        expect(fits(composed.sent, strict)).toBe(true)
        const result = await read(composed, strict, random)
        expect(result).toMatchObject({
          ok: true,
          solution: { calls: random.calls, output: answerOf(random).output ?? null },
        })
      }),
    )
  })
})

describe('an answer with one wrong field', () => {
  const wrong = fc.tuple(randomCase, fc.nat()).map(([random, pick]) => {
    const wrongs = corruptions(random)
    return { random, ...wrongs[pick % wrongs.length]! }
  })

  it('is refused, and the issue names that field', async () => {
    await fc.assert(
      fc.asyncProperty(wrong, async ({ random, answer, path }) => {
        const composed = composedOf(random)
        expect(fits(composed.sent, answer)).toBe(false)
        const result = await read(composed, answer, random)
        expect(result.ok).toBe(false)
        const paths = result.ok ? [] : result.issues.map((issue) => issue.path)
        expect(
          paths.every((each) => each.startsWith(path)),
          `${paths.join()} in ${path}`,
        ).toBe(true)
        expect(paths).not.toEqual([])
      }),
      { numRuns: 400 },
    )
  })
})

interface Corruption {
  readonly answer: unknown
  readonly path: string
}

/** Every way to spoil one field of an answer. */
function corruptions(random: Case): readonly Corruption[] {
  const answer = answerOf(random)
  const inCalls = random.calls.flatMap((call, index) => {
    const { fields, result, isLatent } = random.tools.find(({ name }) => name === call._tool)!
    const at = `$.calls[${index}]`
    const changed = (change: object): unknown => ({
      ...answer,
      calls: random.calls.with(index, { ...call, ...change } as Call),
    })
    return [
      { answer: changed({ _tool: 'NOBODY' }), path: `${at}._tool` },
      ...fields.map(({ name, bad }) => ({
        answer: changed({ [name]: bad }),
        path: `${at}.${name}`,
      })),
      ...fields
        .filter(({ required }) => required)
        .map(({ name }) => ({
          answer: JSON.parse(JSON.stringify(changed({ [name]: undefined }))) as unknown,
          path: `${at}.${name}`,
        })),
      ...(isLatent ? [{ answer: changed({ _output: result.bad }), path: `${at}._output` }] : []),
    ]
  })
  return [
    ...inCalls,
    { answer: { ...answer, meta: { version: 2 } }, path: '$.meta.version' },
    { answer: { ...answer, meta: null }, path: '$.meta' },
    { answer: { ...answer, calls: 'none' }, path: '$.calls' },
    ...(random.output
      ? [{ answer: { ...answer, output: random.output.bad }, path: '$.output' }]
      : []),
  ]
}

/** An answer as strict modes give it: null for everything that was left out. */
function filled(value: Json, { schema, tools }: Composed): Json {
  const { properties = {} } = schema
  const { meta, calls, output } = value as { meta: Json; calls: readonly Call[]; output?: Json }
  return {
    meta: fill(meta, properties.meta as JsonSchema),
    calls: calls.map((call) => fill(call as Json, tools.get(call._tool)!.item)),
    ...(output !== undefined && {
      output: output === null ? null : fill(output, properties.output as JsonSchema),
    }),
  }
}

function fill(value: Json, { properties, items }: JsonSchema): Json {
  if (Array.isArray(value))
    return value.map((item) => fill(item as Json, (items ?? {}) as JsonSchema))
  if (typeof value !== 'object' || value === null || !properties) return value
  const entries = Object.entries(properties).map(([name, node]): [string, Json] => {
    const member = (value as { readonly [name: string]: Json })[name]
    return [name, member === undefined ? null : fill(member, node as JsonSchema)]
  })
  return Object.fromEntries(entries)
}
