/** toolwright on the Responses format. */
import { openai } from 'toolwright/openai'
import { BASE_URL } from './post.ts'
import { serveBatches } from './serve-batches.ts'
import { toolwrightLoop } from './toolwright-loop.ts'

serveBatches(toolwrightLoop((model) => openai(model, { baseUrl: BASE_URL, apiKey: 'bench' })))
