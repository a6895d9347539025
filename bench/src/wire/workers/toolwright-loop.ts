/**
 * The same conversation through toolwright as its guide shows it: one client, zod tools, every default
 * limit and check in force. A stream is read event by event to its end, as a program would that shows
 * text and arguments while they arrive.
 */
import { ChatClient, tool } from 'toolwright'
import type { Advisor, ChatModel, ToolCallback } from 'toolwright'
import { z } from 'zod'
import { parseMockModel } from '../mock-model.ts'
import { perModel } from './per-model.ts'
import type { Converse } from './serve-batches.ts'
import { forecast, QUESTION, TOOL_DESCRIPTION, toolNames } from './weather.ts'

const input = z.object({
  city: z.string().describe('Name of the city'),
  days: z.int().describe('How many days'),
  units: z.enum(['c', 'f']),
  note: z.string().optional(),
})

const toolsOf = (model: string): ToolCallback[] =>
  toolNames(parseMockModel(model).tools).map((name) =>
    tool({ name, description: TOOL_DESCRIPTION, input, execute: forecast }),
  )

export function toolwrightLoop(modelNamed: (name: string) => ChatModel): Converse {
  const clientOf = perModel((name) => {
    const options = { tools: toolsOf(name), advisors: advisorsOf(name) }
    return ChatClient.create(modelNamed(name), options)
  })
  return async ({ model, stream }) => {
    const request = clientOf(model).prompt(QUESTION)
    if (!stream) return request.call().content()
    let text = ''
    for await (const event of request.stream().events())
      if (event.type === 'text-delta') text += event.text
    return text
  }
}

/** Advisors that see every event, as one does that counts or filters them. */
function advisorsOf(model: string): Advisor[] {
  return Array.from({ length: parseMockModel(model).advisors }, (_, index) => ({
    name: `passing-${index}`,
    order: 100 + index,
    advise: (request, next) => next({ ...request, emit: (event) => request.emit(event) }),
  }))
}
