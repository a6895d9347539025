/** What OpenAI calls strict, for schemas of answers: both of its dialects take the same. */
import { LoweredSchemas } from './lowered-schemas.ts'

const TAKEN = /^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minItems|maxItems)$/
const FORMATS = /^(?:date-time|time|date|duration|email|hostname|ipv4|ipv6|uuid)$/

/** What strict structured output takes: every property required, an optional one null instead, objects closed. */
export const STRICT_SCHEMAS = new LoweredSchemas({
  takes: (keyword, operand) =>
    keyword === 'format' ? FORMATS.test(String(operand)) : TAKEN.test(keyword),
  allRequired: true,
  recursion: true,
})
