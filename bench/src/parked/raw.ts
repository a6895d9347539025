/** The loop written by hand on node:http. */
import { postByHttp } from '../wire/workers/post-by-http.ts'
import { rawChatLoop } from '../wire/workers/raw-chat-loop.ts'
import { TOOL_NAMES, TOOLS } from '../wire/workers/weather.ts'
import { holdConversations, MODEL, park } from './hold-conversations.ts'

for (const name of TOOL_NAMES) TOOLS.set(name, async () => park())
const converse = rawChatLoop(postByHttp)
await holdConversations(() => converse({ model: MODEL, stream: false }))
