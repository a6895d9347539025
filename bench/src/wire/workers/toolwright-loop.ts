/**
 * The same conversation through toolwright as its guide shows it: one client, zod tools, every default
 * limit and check in force. A stream is read event by event to its end, as a program would that shows
 * text and arguments while they arrive.
 */
import { ChatClient, tool } from 'toolwright'
import type { ChatModel } from 'toolwright'
import { z } from 'zod'
import type { Converse } from './serve-batches.ts'
import { forecast, QUESTION, TOOL_DESCRIPTION, TOOL_NAMES } from './weather.ts'

const input = z.object({
  city: z.string().describe('Name of the city'),
  days: z.int().describe('How many days'),
  units: z.enum(['c', 'f']),
  note: z.string().optional(),
})

const tools = TOOL_NAMES.map((name) =>
  tool({ name, description: TOOL_DESCRIPTION, input, execute: forecast }),
)

export function toolwrightLoop(modelNamed: (name: string) => ChatModel): Converse {
  const clients = new Map<string, ChatClient>()
  return async ({ model, stream }) => {
    let client = clients.get(model)
    if (client === undefined)
      clients.set(model, (client = ChatClient.create(modelNamed(model), { tools })))
    const request = client.prompt(QUESTION)
    if (!stream) return request.call().content()
    let text = ''
    for await (const event of request.stream().events())
      if (event.type === 'text-delta') text += event.text
    return text
  }
}
