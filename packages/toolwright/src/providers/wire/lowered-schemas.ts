/** Schemas of answers in the language of one provider: each is lowered once and remembered. */
import { JsonRaiser } from '../../schema/lowering/json-raiser.ts'
import type { SchemaLanguage } from '../../schema/lowering/schema-rules.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { lowerFor, type LoweredFor } from '../../schema/lower-schema.ts'
import { remembered } from '../../schema/remembered.ts'

export class LoweredSchemas {
  readonly #language: SchemaLanguage
  readonly #known = new WeakMap<JsonSchema, LoweredFor>()

  constructor(language: SchemaLanguage) {
    this.#language = language
  }

  /** Undefined when the provider's language cannot say it, or only in a way that loses something. */
  lower(schema: JsonSchema): JsonSchema | undefined {
    const { isFit, raising } = this.#lowered(schema)
    return isFit ? (raising.schema as JsonSchema) : undefined
  }

  /** Turns the text of one answer into what the schema means; undefined if that is the text as it comes. */
  raiser(schema: JsonSchema): JsonRaiser | undefined {
    const { isFit, isRaised, raising } = this.#lowered(schema)
    return isFit && isRaised ? new JsonRaiser(raising) : undefined
  }

  #lowered(schema: JsonSchema): LoweredFor {
    return remembered(this.#known, schema, () => lowerFor(schema, this.#language))
  }
}
