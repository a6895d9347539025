/** A chat page served by Hono: four routes. The page is the real `Chat` behind `useChat`, driven at the end. */
import { Hono } from 'hono'
import type { ChatApp } from './shared/chat-app.ts'
import { onLoopback, toWebRequest } from './shared/on-loopback.ts'
import { visit } from './shared/visit.ts'

const routes = (chat: ChatApp): Hono =>
  new Hono()
    .post('/api/chat', (c) => chat.post(c.req.raw))
    .post('/api/chat/:id/stop', (c) => chat.stop(c.req.param('id')))
    .get('/api/chat/:id', (c) => chat.load(c.req.param('id')))
    .get('/api/chat/:id/stream', (c) => chat.resume(c.req.param('id')))

await visit((chat) => {
  const app = routes(chat)
  return onLoopback(async (request) => app.fetch(toWebRequest(request)))
})
