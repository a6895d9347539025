/**
 * Schemas of answers in the smaller language of one provider: each is lowered once and remembered. Where
 * the language requires every property, the answer is raised again: null for what was left out is left out.
 */
import { parseJson } from '../../internal/parse-json.ts'
import type { ChatResponse, Generation } from '../../messages/chat-response.ts'
import type { AssistantPart } from '../../messages/message.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { lowerSchema, raiseNulls, type SchemaDialect } from '../../schema/lower-schema.ts'
import { remembered } from '../../schema/remembered.ts'

export class LoweredSchemas {
  readonly #dialect: SchemaDialect
  readonly #known = new WeakMap<JsonSchema, { readonly lowered: JsonSchema | undefined }>()

  constructor(dialect: SchemaDialect) {
    this.#dialect = dialect
  }

  /** Undefined when the provider's language cannot say it. */
  lower(schema: JsonSchema): JsonSchema | undefined {
    const make = (): { lowered: JsonSchema | undefined } => ({
      lowered: lowerSchema(schema, this.#dialect),
    })
    return remembered(this.#known, schema, make).lowered
  }

  /** The answer as the schema means it; the same object where nothing changes. */
  raise(response: ChatResponse, schema: JsonSchema): ChatResponse {
    if (!this.#dialect.allRequired || this.lower(schema) === undefined) return response
    const results = response.results.map((generation) => raisedGeneration(generation, schema))
    const isSame = results.every((generation, index) => generation === response.results[index])
    return isSame ? response : { ...response, results }
  }
}

function raisedGeneration(generation: Generation, schema: JsonSchema): Generation {
  const { message } = generation
  const content: string | readonly AssistantPart[] =
    typeof message.content === 'string'
      ? raisedText(message.content, schema)
      : raisedParts(message.content, schema)
  return content === message.content
    ? generation
    : { ...generation, message: { ...message, content } }
}

function raisedParts(
  parts: readonly AssistantPart[],
  schema: JsonSchema,
): readonly AssistantPart[] {
  const raised = parts.map((part) => {
    if (part.type !== 'text') return part
    const text = raisedText(part.text, schema)
    return text === part.text ? part : { ...part, text }
  })
  return raised.every((part, index) => part === parts[index]) ? parts : raised
}

function raisedText(text: string, schema: JsonSchema): string {
  if (!text.includes('null')) return text
  const parsed = parseJson(text, { maxBytes: Infinity, maxDepth: 256 })
  // No JSON (a tool round, a refusal, an answer cut off), or a number that writing it again would change.
  if (!parsed.ok) return text
  const raised = raiseNulls(schema, parsed.value)
  return raised === parsed.value ? text : JSON.stringify(raised)
}
