/** What OpenAI calls strict, for schemas of answers: both of its dialects take the same. */
import { LoweredSchemas } from './lowered-schemas.ts'

/** Every property required, an optional one null instead, objects closed. */
export const STRICT_SCHEMAS = new LoweredSchemas('openai-strict')
