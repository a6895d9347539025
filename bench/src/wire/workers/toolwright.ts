/** toolwright on Chat Completions. */
import { openaiCompatible } from 'toolwright/openai'
import { BASE_URL } from './post.ts'
import { serveBatches } from './serve-batches.ts'
import { toolwrightLoop } from './toolwright-loop.ts'

serveBatches(
  toolwrightLoop((model) => openaiCompatible(model, { baseUrl: BASE_URL, apiKey: 'bench' })),
)
