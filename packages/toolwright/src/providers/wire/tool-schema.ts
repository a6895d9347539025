/** The input schema of a tool in the language of one provider, and the way back for the arguments of its calls. */
import { parseJson } from '../../internal/parse-json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { raiseText } from '../../schema/lowering/raise.ts'
import type { SchemaLanguage } from '../../schema/lowering/schema-rules.ts'
import { lowerFor, type LoweredFor } from '../../schema/lower-schema.ts'
import { remembered } from '../../schema/remembered.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'

export type { SchemaLanguage }

export interface ToolSchema {
  readonly schema: JsonSchema
  /** The provider may be told to hold the arguments to it. */
  readonly isStrict: boolean
  /** Whether what the model sends differs from what the tool takes. */
  readonly isRaised: boolean
  /** The arguments of a call as the tool means them. Text that is no JSON stays as it is, for the call's own check. */
  raise(json: string): string
}

const STRICT: { readonly [language in SchemaLanguage]?: SchemaLanguage } = {
  openai: 'openai-strict',
  anthropic: 'anthropic-strict',
}
const LOOSE: { readonly [language in SchemaLanguage]?: SchemaLanguage } = {
  'openai-strict': 'openai',
  'anthropic-strict': 'anthropic',
}

/**
 * A strict language is used where every input can be said in it; otherwise its loose form. `strict` in the tool's
 * `providerOptions` decides instead, where it stands.
 *
 * @param provider the key of `providerOptions`; default the language's own provider
 */
export function toolSchema(
  definition: ToolDefinition,
  language: SchemaLanguage,
  provider: string = language.replace(/-strict$/, ''),
): ToolSchema {
  const wanted = definition.providerOptions?.[provider]?.['strict']
  const strict = STRICT[language] ?? (LOOSE[language] && language)
  if (strict !== undefined && wanted === true) return loweredInput(definition, strict)
  const loose = LOOSE[language] ?? language
  if (loose === language || wanted === false) return loweredInput(definition, loose)
  const held = loweredInput(definition, language)
  return held.isFit ? held : loweredInput(definition, loose)
}

interface LoweredInput extends ToolSchema {
  readonly isFit: boolean
}

/** By the schema: definitions are copied under other names. */
const known = new WeakMap<JsonSchema, Map<SchemaLanguage, LoweredInput>>()

function loweredInput({ inputSchema }: ToolDefinition, language: SchemaLanguage): LoweredInput {
  const byLanguage = remembered(known, inputSchema, () => new Map<SchemaLanguage, LoweredInput>())
  return remembered(byLanguage, language, () =>
    toInput(lowerFor(inputSchema, language), LOOSE[language] !== undefined),
  )
}

function toInput(
  { raising, isFit, isRaised, dropsOnlyNulls }: LoweredFor,
  isStrict: boolean,
): LoweredInput {
  const mayChange = (json: string): boolean =>
    isRaised && (!dropsOnlyNulls || json.includes('null')) && isSound(json)
  return {
    schema: raising.schema as JsonSchema,
    isStrict,
    isFit,
    isRaised,
    raise: (json) => (mayChange(json) ? raiseText(raising, json) : json),
  }
}

/** What the call's own check would refuse is left to it: it tells the model what is wrong with its own words. */
function isSound(json: string): boolean {
  return json.trim() !== '' && parseJson(json, { maxBytes: Infinity, maxDepth: DEEPEST }).ok
}

const DEEPEST = 256
