/** A chat page served by node:http alone. The page is the real `Chat` behind `useChat`, driven at the end. */
import type { IncomingMessage } from 'node:http'
import type { ChatApp } from './shared/chat-app.ts'
import { onLoopback } from './shared/on-loopback.ts'
import { visit } from './shared/visit.ts'

async function answer(chat: ChatApp, request: IncomingMessage): Promise<Response> {
  const { method, url = '' } = request
  // readPageBody takes a request of node:http as it is.
  if (method === 'POST' && url === '/api/chat') return chat.post(request)
  const [, id, rest] = /^\/api\/chat\/([^/]+)(\/stream|\/stop)?$/.exec(url) ?? []
  if (id === undefined) return new Response(null, { status: 404 })
  if (method === 'POST') return chat.stop(id)
  return rest ? chat.resume(id) : chat.load(id)
}

await visit((chat) => onLoopback((request) => answer(chat, request)))
