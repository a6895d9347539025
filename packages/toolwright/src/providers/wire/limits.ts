/** How much a provider may send before we stop reading. Counted after decompression. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024
/** A whole answer is held in memory until it is parsed, so it may be smaller than a stream. */
export const MAX_JSON_BYTES = 32 * 1024 * 1024
/** One event, or one line without an end, in characters. */
export const MAX_EVENT_LENGTH = 4 * 1024 * 1024
/** What is read of a refusal; more says nothing more. */
export const MAX_ERROR_BODY_BYTES = 64 * 1024
