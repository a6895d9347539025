/** toolwright, answers as a whole. */
import { holdConversations } from './hold-conversations.ts'
import { client } from './toolwright-client.ts'

await holdConversations((question) => client.prompt(question).call().content())
