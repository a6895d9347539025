/**
 * A response as a cassette keeps it: without the facts of its metadata that are others each time, though the model says
 * the same. The ids of an answer and of its calls stay, because programs read them.
 */
import type { Json, JsonObject } from '../../messages/json.ts'

/** When it was made, how long that took and by which build: by the names that providers give it. */
const UNSTEADY =
  /^(?:created|created_?at|completed_?at|create_?time|system_fingerprint|timings|x_groq|\w+_duration)$/i

export function steadyResponse(response: Json): Json {
  const { metadata } = Object(response) as { readonly metadata?: Json }
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return response
  const steady = Object.entries(metadata).filter(([name]) => !UNSTEADY.test(name))
  return { ...(response as JsonObject), metadata: Object.fromEntries(steady) }
}
