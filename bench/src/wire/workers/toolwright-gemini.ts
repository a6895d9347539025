/** toolwright on the format of generateContent. */
import { google } from 'toolwright/google'
import { BASE_URL } from './post.ts'
import { serveBatches } from './serve-batches.ts'
import { toolwrightLoop } from './toolwright-loop.ts'

serveBatches(toolwrightLoop((model) => google(model, { baseUrl: BASE_URL, apiKey: 'bench' })))
