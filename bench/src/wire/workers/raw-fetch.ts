/** The hand-written loop on the global fetch. */
import { BASE_URL, postByFetch } from './post.ts'
import { rawChatLoop } from './raw-chat-loop.ts'
import { serveBatches } from './serve-batches.ts'

serveBatches(
  rawChatLoop(postByFetch(`${BASE_URL}/chat/completions`, { authorization: 'Bearer bench' })),
)
