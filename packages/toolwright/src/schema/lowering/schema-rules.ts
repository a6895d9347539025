/**
 * What each provider takes of JSON Schema, as data. The tables were read from the providers' documentation;
 * where it is silent, a keyword is not sent, because an unknown keyword makes a provider refuse the request.
 */

/**
 * What a schema is lowered to: tools of OpenAI (`openai-strict` also its structured output), tools of Anthropic, tools
 * and answers of Google and of Ollama.
 */
export type SchemaDialect = 'openai' | 'openai-strict' | 'anthropic' | 'google' | 'ollama'

/** The dialects, and what Anthropic takes for answers and strict tools. */
export type SchemaLanguage = SchemaDialect | 'anthropic-strict'

/** A provider that takes JSON Schema as it is, but for the top. */
export interface OpenRules {
  readonly kind: 'open'
  /** Keywords that may not stand at the top, where the type must be `object`. */
  readonly notAtTop: readonly string[]
  /** A list must say what its items are. */
  readonly needsItems: boolean
}

/** A provider that takes a part of JSON Schema. */
export interface SubsetRules {
  readonly kind: 'subset'
  /** Whether a keyword that narrows, or says something about a value, may be sent. */
  takes(keyword: string, operand: unknown): boolean
  /**
   * The provider holds the model to the schema. Objects are then closed and have no other names than those
   * listed, a union has nothing beside it, and any value at all can only be written as text.
   */
  readonly isStrict: boolean
  /** Every property is required; an optional one is null instead. */
  readonly allRequired: boolean
  readonly hasConst: boolean
  /** Which values an `enum` may list. */
  isConstant(value: unknown): boolean
  readonly hasTuples: boolean
  /** `inlined`: the provider drops references. */
  readonly references: 'taken' | 'inlined'
  /** `in optional properties`: a property that leads back to its own schema may not be required. */
  readonly recursion: 'taken' | 'in optional properties' | 'none'
}

export type SchemaRules = OpenRules | SubsetRules

const LIMITS =
  /^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minItems|maxItems)$/
const OPENAI_FORMATS = /^(?:date-time|time|date|duration|email|hostname|ipv4|ipv6|uuid)$/
const ANTHROPIC_FORMATS = /^(?:date-time|time|date|duration|email|hostname|uri|ipv4|ipv6|uuid)$/
const GOOGLE_LIMITS = /^(?:format|title|minItems|maxItems|minimum|maximum)$/

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

export const SCHEMA_RULES: { readonly [language in SchemaLanguage]: SchemaRules } = {
  openai: { kind: 'open', notAtTop: ['anyOf', 'oneOf', 'allOf', 'enum', 'not'], needsItems: true },
  anthropic: { kind: 'open', notAtTop: ['anyOf', 'oneOf', 'allOf'], needsItems: false },
  'openai-strict': {
    kind: 'subset',
    takes: (keyword, operand) =>
      keyword === 'format' ? OPENAI_FORMATS.test(String(operand)) : LIMITS.test(keyword),
    isStrict: true,
    allRequired: true,
    hasConst: true,
    isConstant: isScalar,
    hasTuples: false,
    references: 'taken',
    recursion: 'taken',
  },
  'anthropic-strict': {
    kind: 'subset',
    takes: (keyword, operand) => {
      if (keyword === 'format') return ANTHROPIC_FORMATS.test(String(operand))
      return keyword === 'default' || (keyword === 'minItems' && (operand === 0 || operand === 1))
    },
    isStrict: true,
    allRequired: false,
    hasConst: true,
    isConstant: isScalar,
    hasTuples: false,
    references: 'taken',
    recursion: 'none',
  },
  google: {
    kind: 'subset',
    takes: (keyword) => GOOGLE_LIMITS.test(keyword),
    isStrict: false,
    allRequired: false,
    hasConst: false,
    isConstant: (value) => typeof value === 'string' || typeof value === 'number',
    hasTuples: true,
    references: 'taken',
    recursion: 'in optional properties',
  },
  ollama: {
    kind: 'subset',
    takes: () => false,
    isStrict: false,
    allRequired: false,
    hasConst: false,
    isConstant: isScalar,
    hasTuples: false,
    references: 'inlined',
    recursion: 'none',
  },
}
