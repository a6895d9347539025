/** `runTools` of the package openai. */
import OpenAI from 'openai'
import { BASE_URL } from '../wire/workers/post.ts'
import { INPUT_SCHEMA, TOOL_DESCRIPTION, TOOL_NAMES } from '../wire/workers/weather.ts'
import { holdConversations, MODEL, park } from './hold-conversations.ts'

const client = new OpenAI({ baseURL: BASE_URL, apiKey: 'bench' })
const tools = TOOL_NAMES.map((name) => ({
  type: 'function' as const,
  function: {
    name,
    description: TOOL_DESCRIPTION,
    parameters: INPUT_SCHEMA,
    parse: (text: string) => JSON.parse(text) as object,
    function: park,
  },
}))

await holdConversations(async (content) => {
  const messages = [{ role: 'user' as const, content }]
  return (
    (await client.chat.completions.runTools({ model: MODEL, messages, tools }).finalContent()) ?? ''
  )
})
