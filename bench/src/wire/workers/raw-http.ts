/** The hand-written loop on node:http with a keep-alive agent: about the least a conversation can cost. */
import { postByHttp } from './post-by-http.ts'
import { rawChatLoop } from './raw-chat-loop.ts'
import { serveBatches } from './serve-batches.ts'

serveBatches(rawChatLoop(postByHttp))
