/** toolwright on the format of Ollama's /api/chat. */
import { ollama } from 'toolwright/ollama'
import { ORIGIN } from './raw-loop.ts'
import { serveBatches } from './serve-batches.ts'
import { toolwrightLoop } from './toolwright-loop.ts'

serveBatches(toolwrightLoop((model) => ollama(model, { baseUrl: ORIGIN })))
