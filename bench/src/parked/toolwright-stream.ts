/** toolwright, answers streamed and read event by event. */
import { holdConversations } from './hold-conversations.ts'
import { client } from './toolwright-client.ts'

await holdConversations(async (question) => {
  let text = ''
  for await (const event of client.prompt(question).stream().events())
    if (event.type === 'text-delta') text += event.text
  return text
})
