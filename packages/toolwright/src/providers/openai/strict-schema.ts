/**
 * The JSON Schema that strict structured output takes: every property required, an optional one null
 * instead, objects closed. The answer is turned back before anybody sees it.
 */
import type { ChatResponse, Generation } from '../../messages/chat-response.ts'
import type { AssistantPart } from '../../messages/message.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { lowerSchema, raiseNulls, type SchemaDialect } from '../../schema/lower-schema.ts'
import { remembered } from '../../schema/remembered.ts'

const TAKEN = /^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minItems|maxItems)$/
const FORMATS = /^(?:date-time|time|date|duration|email|hostname|ipv4|ipv6|uuid)$/

const STRICT: SchemaDialect = {
  takes: (keyword, operand) =>
    keyword === 'format' ? FORMATS.test(String(operand)) : TAKEN.test(keyword),
  allRequired: true,
  recursion: true,
}

const known = new WeakMap<JsonSchema, { readonly strict: JsonSchema | undefined }>()

/** Undefined when strict mode cannot say it. */
export const strictSchema = (schema: JsonSchema): JsonSchema | undefined =>
  remembered(known, schema, () => ({ strict: lowerSchema(schema, STRICT) })).strict

/** The answer as the schema means it: null for what was left out is left out. */
export function raisedAnswer(response: ChatResponse, schema: JsonSchema): ChatResponse {
  const results = response.results.map((generation) => raisedGeneration(generation, schema))
  const isSame = results.every((generation, index) => generation === response.results[index])
  return isSame ? response : { ...response, results }
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
  try {
    const value: unknown = JSON.parse(text)
    const raised = raiseNulls(schema, value)
    return raised === value ? text : JSON.stringify(raised)
  } catch {
    // No JSON: a tool round, a refusal, an answer cut off.
    return text
  }
}
