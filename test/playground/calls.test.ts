import { describe, expect, it } from 'vitest'
import { tool } from 'toolwright'
import { z } from 'zod'
import { requestId, served, type Page } from './served.ts'
import { shop } from './shop.ts'

async function called(page: Page, name: string, input: unknown = {}) {
  const { body } = await page.post('/api/calls', { requestId: requestId(), tool: name, input })
  return body.id as string
}
const ended = async (page: Page, id: string) =>
  (await page.events(`/api/calls/${id}/events`)).at(-1)
const isPending = ({ type }: { type: string }) => type === 'pending'

describe('tools', () => {
  it('are listed with what is known about them', async () => {
    const lint = async () => [
      { tool: 'add', rule: 'short', message: 'Too short.', fix: 'Say more.' },
      { rule: 'many', message: 'Many tools.', fix: 'Offer fewer.' },
    ]
    const page = await served({ tools: shop().tools, lint })
    const { body } = await page.get('/api/tools')
    expect(body).toMatchObject({ revision: 1, findings: [{ rule: 'many' }], quarantined: [] })
    const [add, pay, pick] = body.tools
    expect(add).toMatchObject({ name: 'add', source: 'tools.ts', asks: 'never', effect: 'once' })
    expect(add.findings).toEqual([{ rule: 'short', message: 'Too short.', fix: 'Say more.' }])
    expect(add.tokens).toBeGreaterThan(0)
    expect(body.tokens).toBeGreaterThan(add.tokens)
    expect(pay).toMatchObject({ asks: 'always', hints: { destructive: true }, isSupplied: false })
    expect(pick).toMatchObject({ isSupplied: true })
    expect((await page.get('/api/session')).body).toEqual({
      version: '0.1.0',
      sources: ['tools.ts'],
      models: [{ id: 'one', label: 'One', isDemo: false }],
      canExport: false,
    })
  })

  it('are listed without findings if the lint fails', async () => {
    const lint = () => Promise.reject(new Error('lint broke'))
    const page = await served({ tools: shop().tools, lint })
    expect((await page.get('/api/tools')).body.tools).toHaveLength(7)
    expect(page.warnings.join()).toMatch(/lint broke/)
  })
})

describe('a call by hand', () => {
  it('runs, tells its progress, and gives what a model would read', async () => {
    const page = await served({ tools: shop().tools })
    const events = await page.events(`/api/calls/${await called(page, 'count', { to: 2 })}/events`)
    expect(events.map(({ type, value }) => [type, value])).toEqual([
      ['progress', { at: 1 }],
      ['progress', { at: 2 }],
      ['end', undefined],
    ])
    expect(events.at(-1)).toMatchObject({
      status: 'done',
      content: { parts: [{ type: 'text', text: 'counted' }] },
    })
  })

  it('with wrong arguments is refused at the field', async () => {
    const page = await served({ tools: shop().tools })
    const asked = { requestId: 'r', tool: 'add', input: { a: 'one' } }
    const { status, body } = await page.post('/api/calls', asked)
    expect(status).toBe(422)
    expect(body.error.code).toBe('tool-input')
    const paths = body.error.issues.map(({ path }: { path: unknown[] }) => path.join('.'))
    expect(paths.sort()).toEqual(['a', 'b'])
    // Nothing was started, so the same request may be made again.
    const again = await page.post('/api/calls', { ...asked, input: { a: 1, b: 2 } })
    expect(again.status).toBe(202)
  })

  it('names fields of any name and depth', async () => {
    const input = z.object({ 'a b': z.array(z.object({ größe: z.number() })) })
    const deep = tool({ name: 'deep', description: 'd', input, execute: () => 'ok' })
    const page = await served({ tools: [deep] })
    const wrong = { 'a b': [{ größe: 1 }, { größe: 'x' }] }
    const asked = { requestId: 'r', tool: 'deep', input: wrong }
    const { body } = await page.post('/api/calls', asked)
    expect(body.error.issues[0].path).toEqual(['a b', 1, 'größe'])
  })

  it('of a tool that is not there is refused', async () => {
    const page = await served({ tools: shop().tools })
    const asked = { requestId: 'r', tool: 'rm -rf', input: {} }
    expect((await page.post('/api/calls', asked)).body.error.code).toBe('unknown-tool')
  })

  it('runs once, however often it is asked for', async () => {
    const { tools, paid } = shop()
    const free = { ...tools[1]!, metadata: { ...tools[1]!.metadata, hints: {} } }
    const page = await served({ tools: [free] })
    const asked = { requestId: 'same', tool: 'pay', input: { amount: 3 } }
    const all = await Promise.all([1, 2, 3].map(() => page.post('/api/calls', asked)))
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1)
    await ended(page, all[0]!.body.id)
    expect((await page.post('/api/calls', asked)).body).toEqual(all[0]!.body)
    expect(paid).toEqual([3])
  })

  it('of a destructive tool asks, and does what is decided, once', async () => {
    const { tools, paid } = shop()
    const page = await served({ tools })
    const id = await called(page, 'pay', { amount: 5 })
    const path = `/api/calls/${id}`
    const [{ pending, seq }] = await page.events(`${path}/events`, isPending)
    expect(pending).toMatchObject([{ callId: 'call', kind: 'approval', preview: 'pays 5' }])
    expect(paid).toEqual([])
    const forged = { requestId: 'f', decisions: { other: 'approve' } }
    expect((await page.post(`${path}/decisions`, forged)).body.error.code).toBe(
      'decision-unknown-call',
    )
    const edit = { requestId: 'e', decisions: { call: { edit: { amount: 5000 } } } }
    const refused = await page.post(`${path}/decisions`, edit)
    expect(refused.status).toBe(422)
    expect(refused.body.error).toMatchObject({ callId: 'call', issues: [{ path: ['amount'] }] })
    const decide = (requestId: string) =>
      page.post(`${path}/decisions`, { requestId, decisions: { call: 'approve' } })
    const [one, same, other] = await Promise.all([decide('a'), decide('a'), decide('b')])
    expect([one.status, same.status].every((status) => status === 202)).toBe(true)
    expect([other.status, other.body.error.code]).toEqual([409, 'decided'])
    const rest = await page.events(`${path}/events?after=${seq}`)
    expect(rest.map(({ type }) => type)).toEqual([
      ...['decision-refused', 'decision-refused', 'decided', 'end'],
    ])
    expect(rest[1].error).toEqual(refused.body.error)
    expect(rest.at(-1)).toMatchObject({ status: 'done' })
    expect(paid).toEqual([5])
  })

  it('that is denied says so', async () => {
    const page = await served({ tools: shop().tools })
    const id = await called(page, 'pay', { amount: 5 })
    await page.events(`/api/calls/${id}/events`, isPending)
    const decisions = { call: { deny: 'No' } }
    await page.post(`/api/calls/${id}/decisions`, { requestId: 'd', decisions })
    expect(await ended(page, id)).toMatchObject({ type: 'end', status: 'denied' })
  })

  it('takes the result of a tool without code from the person', async () => {
    const page = await served({ tools: shop().tools })
    const id = await called(page, 'pick')
    const [{ pending }] = await page.events(`/api/calls/${id}/events`, isPending)
    expect(pending[0].kind).toBe('result')
    const decisions = { call: { result: 'red' } }
    await page.post(`/api/calls/${id}/decisions`, { requestId: 'd', decisions })
    expect(await ended(page, id)).toMatchObject({
      status: 'done',
      content: { parts: [{ text: 'red' }] },
    })
  })

  it('that hangs is stopped, and one that waits too', async () => {
    const page = await served({ tools: shop().tools })
    for (const [name, input] of [
      ['hang', {}],
      ['pay', { amount: 1 }],
    ] as const) {
      const id = await called(page, name, input)
      if (name === 'pay') await page.events(`/api/calls/${id}/events`, isPending)
      expect((await page.post(`/api/calls/${id}/stop`)).status).toBe(202)
      expect(await ended(page, id)).toMatchObject({ type: 'end', status: 'stopped' })
    }
  })

  it('is listed, so that a page that is loaded again takes it up', async () => {
    const page = await served({ tools: shop().tools })
    expect((await page.get('/api/calls')).body).toEqual({ calls: [] })
    const done = await called(page, 'add', { a: 1, b: 2 })
    await ended(page, done)
    const waits = await called(page, 'pay', { amount: 5 })
    await page.events(`/api/calls/${waits}/events`, isPending)
    const runs = await called(page, 'hang')
    const { calls } = (await page.get('/api/calls')).body
    expect(calls).toEqual([
      { id: runs, tool: 'hang', input: {}, startedAt: expect.any(Number), status: 'running' },
      {
        ...{ id: waits, tool: 'pay', input: { amount: 5 } },
        ...{ startedAt: calls[1].startedAt, status: 'waiting' },
      },
      {
        ...{ id: done, tool: 'add', input: { a: 1, b: 2 } },
        ...{ startedAt: calls[2].startedAt, status: 'ended' },
        end: { status: 'done', durationMs: expect.any(Number) },
      },
    ])
    expect(calls[0].startedAt).toBeGreaterThanOrEqual(calls[2].startedAt)
  })

  it('passes on what is hostile or huge as text, cut', async () => {
    const page = await served({ tools: shop().tools })
    const boom = await ended(page, await called(page, 'boom'))
    expect(boom).toMatchObject({ status: 'failed' })
    expect(boom.content.parts[0].text).toContain('<script>alert(1)</script>')
    const flood = await ended(page, await called(page, 'flood'))
    expect(flood.content.cutFrom).toBe(10 * 1024 * 1024)
    expect(Buffer.byteLength(flood.content.parts[0].text)).toBe(256 * 1024)
    expect(flood.content.parts[0].text).not.toContain('\ufffd')
  })

  it('keeps media that is small, and names what is large', async () => {
    const image = (bytes: number) => ({
      type: 'image' as const,
      mediaType: 'image/png',
      data: Buffer.alloc(bytes).toString('base64'),
      name: 'a.png',
    })
    const paint = tool({
      name: 'paint',
      description: 'Paints.',
      input: z.object({}),
      resultConverter: () => [image(100), image(5 * 1024 * 1024), { type: 'text', text: '\ud800' }],
      execute: () => 'ok',
    })
    const page = await served({ tools: [paint] })
    const { content } = await ended(page, await called(page, 'paint'))
    expect(content.parts).toEqual([
      { ...image(100), type: 'media' },
      { type: 'media', mediaType: 'image/png', name: 'a.png' },
      { type: 'text', text: '\ufffd' },
    ])
  })

  it('gets the context that the person gave', async () => {
    const who = tool({
      name: 'who',
      description: 'Who asks.',
      input: z.object({}),
      execute: (_input, context) => String(context.values['user']),
    })
    const page = await served({ tools: [who] })
    const asked = { requestId: 'r', tool: 'who', input: {}, context: { user: 'Ada' } }
    const { body } = await page.post('/api/calls', asked)
    expect((await ended(page, body.id)).content.parts[0].text).toBe('Ada')
  })

  it('that nobody knows is not found', async () => {
    const page = await served()
    for (const path of ['events', 'stop', 'decisions'])
      expect(
        (
          await (path === 'events'
            ? page.get(`/api/calls/none/${path}`)
            : page.post(`/api/calls/none/${path}`, { requestId: 'r', decisions: { a: 'approve' } }))
        ).status,
      ).toBe(404)
  })
})
