/** One client with zod tools that wait, every default limit and check in force. */
import { ChatClient, tool } from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'
import { z } from 'zod'
import { BASE_URL } from '../wire/workers/post.ts'
import { TOOL_DESCRIPTION, TOOL_NAMES } from '../wire/workers/weather.ts'
import { MODEL, park } from './hold-conversations.ts'

const input = z.object({
  city: z.string().describe('Name of the city'),
  days: z.int().describe('How many days'),
  units: z.enum(['c', 'f']),
  note: z.string().optional(),
})
const tools = TOOL_NAMES.map((name) =>
  tool({ name, description: TOOL_DESCRIPTION, input, execute: park }),
)

export const client = ChatClient.create(
  openaiCompatible(MODEL, { baseUrl: BASE_URL, apiKey: 'bench' }),
  { tools },
)
