/** One entry of a server's list of tools, looked at before anything else reads it. */
import { checkJson, type JsonSchema } from 'toolwright'
import { withoutHidden } from '../remote/hidden-text.ts'
import { lookAtSchema } from '../remote/schema-faults.ts'
import type { RemoteHints } from '../remote/tightened-hints.ts'
import { headerFault } from './header-rule.ts'

export interface RemoteDefinition {
  /** The server's own name of it, which goes over the wire. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly hints: RemoteHints
  /** Whether characters that people do not see were taken out of its words. */
  readonly hadHidden: boolean
}

export type ReadDefinition = RemoteDefinition | { readonly name: string; readonly fault: string }

const LONGEST_NAME = 256
/** In characters. */
const LONGEST_WORDS = 10_000
type Entry = { readonly [key: string]: unknown }

export function readDefinition(entry: unknown): ReadDefinition {
  const { name, title, description, inputSchema, outputSchema, annotations } = Object(
    entry,
  ) as Entry
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME)
    return { name: String(name).slice(0, LONGEST_NAME), fault: 'its name cannot be used' }
  const input = readInput(inputSchema)
  if ('fault' in input) return { name, fault: input.fault }
  const output = isRecord(outputSchema) ? lookAtSchema(outputSchema) : undefined
  if (output?.fault !== undefined) return { name, fault: `outputSchema: ${output.fault}` }
  const words = { title: text(title), description: text(description) }
  return {
    name,
    ...(words.title && { title: short(words.title) }),
    ...(words.description && { description: short(words.description) }),
    inputSchema: input.schema,
    ...(output && { outputSchema: output.schema as JsonSchema }),
    hints: readHints(annotations),
    hadHidden:
      input.hadHidden ||
      output?.hadHidden === true ||
      [words.title !== (title ?? ''), words.description !== (description ?? '')].includes(true),
  }
}

function readInput(
  inputSchema: unknown,
): { readonly schema: JsonSchema; readonly hadHidden: boolean } | { readonly fault: string } {
  if (!isRecord(inputSchema) || inputSchema.type !== 'object')
    return { fault: 'inputSchema is not the schema of an object' }
  const { schema, fault, hadHidden } = lookAtSchema(inputSchema)
  if (fault !== undefined) return { fault: `inputSchema: ${fault}` }
  const broken = headerFault(schema) ?? compileFault(schema)
  return broken === undefined
    ? { schema: schema as JsonSchema, hadHidden }
    : { fault: `inputSchema: ${broken}` }
}

/** Whether the checker takes it: it compiles what a check reaches. */
function compileFault(schema: object): string | undefined {
  try {
    checkJson(schema as JsonSchema, {})
    return undefined
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message.slice(0, 200) : 'it is no schema'
  }
}

function readHints(annotations: unknown): RemoteHints {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = Object(
    annotations,
  ) as Entry
  return {
    readOnly: truth(readOnlyHint),
    destructive: truth(destructiveHint),
    idempotent: truth(idempotentHint),
    openWorld: truth(openWorldHint),
  }
}

const truth = (x: unknown): boolean | undefined => (typeof x === 'boolean' ? x : undefined)

const text = (x: unknown): string => (typeof x === 'string' ? withoutHidden(x) : '')

/** A model reads every description in every round. */
const short = (words: string): string =>
  words.length <= LONGEST_WORDS ? words : `${words.slice(0, LONGEST_WORDS).toWellFormed()}…`

const isRecord = (x: unknown): x is Entry =>
  typeof x === 'object' && x !== null && !Array.isArray(x)
