/**
 * A chat page served as Next.js does it: functions named after methods that take a `Request`, in files named after
 * routes. Here a table stands for the files, and the page is the real `Chat` behind `useChat`, driven at the end.
 */
import type { ChatApp } from './shared/chat-app.ts'
import { onLoopback, toWebRequest } from './shared/on-loopback.ts'
import { visit } from './shared/visit.ts'

interface Params {
  readonly params: Promise<{ readonly id: string }>
}

const files = (chat: ChatApp) => ({
  'app/api/chat/route.ts': {
    POST: (request: Request) => chat.post(request),
  },
  'app/api/chat/[id]/route.ts': {
    GET: async (_request: Request, { params }: Params) => chat.load((await params).id),
  },
  'app/api/chat/[id]/stream/route.ts': {
    GET: async (_request: Request, { params }: Params) => chat.resume((await params).id),
  },
  'app/api/chat/[id]/stop/route.ts': {
    POST: async (_request: Request, { params }: Params) => chat.stop((await params).id),
  },
})

await visit((chat) => {
  const app = files(chat)
  return onLoopback(async (incoming) => {
    const request = toWebRequest(incoming)
    const [, , id, rest] = new URL(request.url).pathname.slice(1).split('/')
    if (id === undefined) return app['app/api/chat/route.ts'].POST(request)
    const context = { params: Promise.resolve({ id }) }
    if (rest === 'stop') return app['app/api/chat/[id]/stop/route.ts'].POST(request, context)
    const file = rest ? 'app/api/chat/[id]/stream/route.ts' : 'app/api/chat/[id]/route.ts'
    return app[file].GET(request, context)
  })
})
