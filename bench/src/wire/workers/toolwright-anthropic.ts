/** toolwright on the Messages format. */
import { anthropic } from 'toolwright/anthropic'
import { BASE_URL } from './post.ts'
import { serveBatches } from './serve-batches.ts'
import { toolwrightLoop } from './toolwright-loop.ts'

serveBatches(toolwrightLoop((model) => anthropic(model, { baseUrl: BASE_URL, apiKey: 'bench' })))
