/** A client of the older protocol that lost its stream comes back for the answer, and nothing runs twice. */
import { expect, it } from 'vitest'
import { tool } from 'toolwright'
import { listening } from './serving.cases.ts'

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
}

it('gets the result of the call that went on', async () => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let runs = 0
  const slow = tool({
    name: 'slow',
    description: 'Waits',
    input: { type: 'object', properties: {} },
    execute: async () => {
      runs++
      await held
      return 'here it is'
    },
  })
  const { served, listening: at } = await listening(slow)
  const send = (message: object, headers: object = {}): Promise<Response> =>
    fetch(at.url, {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const opened = await send({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    },
  })
  await opened.text()
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! }
  await send({ method: 'notifications/initialized' }, session)
  const calling = await send(
    { id: 1, method: 'tools/call', params: { name: 'slow', arguments: {} } },
    session,
  )
  const reader = calling.body!.getReader()
  const first = new TextDecoder().decode((await reader.read()).value)
  const [, lastEventId] = /^id: (.+)$/m.exec(first)!
  await reader.cancel()
  release()
  const again = await fetch(at.url, {
    headers: { ...HEADERS, ...session, 'last-event-id': lastEventId! },
  })
  const stream = again.body!.getReader()
  let text = ''
  while (!text.includes('here it is')) text += new TextDecoder().decode((await stream.read()).value)
  await stream.cancel()
  expect(runs).toBe(1)
  const unknown = await fetch(at.url, {
    headers: { ...HEADERS, ...session, 'last-event-id': '999999' },
  })
  expect(unknown.status).toBeGreaterThanOrEqual(400)
  await unknown.text()
  await served.close()
})
