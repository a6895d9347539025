import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase, sqlMemoryRepository, sqlRunStore } from '@toolwright/sql'
import { servePlayground } from '@toolwright/playground'
import { ChatClient, type Message } from 'toolwright'
import { cassette, scriptedModel } from 'toolwright/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sqliteKysely } from '../../packages/sql/src/testing/stages.ts'
import { fixedTools, requestId, served, temporary, type Page } from './served.ts'
import { shop } from './shop.ts'

const payOnce = { toolCalls: [{ name: 'pay', id: 'p1', arguments: { amount: 5 } }] }
const decide = (page: Page, id: string, decisions: object) =>
  page.post(`/api/conversations/${id}/decisions`, { requestId: requestId(), decisions })

describe('conversations', () => {
  it('are listed by their first questions, those that changed last first', async () => {
    const page = await served({ tools: shop().tools, model: scriptedModel(['1', '2', payOnce]) })
    const ids = [await page.conversation(), await page.conversation(), await page.conversation()]
    expect((await page.get('/api/conversations')).body.conversations).toEqual([])
    await page.turn(ids[0]!, ' A first\nquestion ')
    await page.turn(ids[1]!, 'x'.repeat(200))
    await page.turn(ids[2]!, 'Pay')
    const { conversations } = (await page.get('/api/conversations')).body
    expect(conversations.map((row: any) => [row.id, row.status])).toEqual([
      [ids[2], 'waiting'],
      [ids[1], 'idle'],
      [ids[0], 'idle'],
    ])
    expect(conversations[2].title).toBe('A first question')
    expect(conversations[1].title).toHaveLength(80)
    const bad = await page.get('/api/conversations?cursor=nonsense')
    expect([bad.status, bad.body.error.code]).toEqual([400, 'bad-request'])
  })

  it('are those of the playground, not of others in the same database', async () => {
    const folder = await temporary()
    const database = await openDatabase(`file:${join(folder, 'kept.db')}`)
    await sqlMemoryRepository(database).append('mine', [{ role: 'user', content: 'private' }])
    const model = scriptedModel([payOnce, payOnce])
    const client = ChatClient.create(model, { runStore: sqlRunStore(database) })
    await client
      .prompt('x')
      .tools(...shop().tools)
      .conversation('mine')
      .call()
      .result()
    const theirs = { tenant: 'other', conversation: 'mine' }
    await client
      .prompt('x')
      .tools(...shop().tools)
      .conversation(theirs)
      .call()
      .result()
    const page = await served({ folder, database })
    expect((await page.get('/api/conversations')).body.conversations).toEqual([])
    expect((await page.get('/api/inbox')).body.waiting).toEqual([])
    expect((await page.get('/api/conversations/mine')).status).toBe(404)
    expect((await page.delete('/api/conversations/mine')).status).toBe(404)
  })

  it('are read a stretch at a time, results with their calls', async () => {
    const folder = await temporary()
    const database = await openDatabase(`file:${join(folder, 'kept.db')}`)
    const messages = Array.from({ length: 120 }, (_each, at): Message[] => [
      { role: 'user', content: `Question ${at}` },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'call_1', name: 'add', arguments: '{}' }],
      },
      { role: 'tool', responses: [{ id: 'call_1', name: 'add', content: `Result ${at}` }] },
      { role: 'assistant', content: `Answer ${at}` },
    ]).flat()
    // The newest hundred begin with a result then.
    messages.push({ role: 'user', content: 'Bye' }, { role: 'assistant', content: 'Bye.' })
    const key = { tenant: 'playground', conversation: 'long' }
    await sqlMemoryRepository(database).append(key, messages)
    const page = await served({ folder, database })
    let before: number | undefined
    const seen: any[] = []
    do {
      const query: string = before === undefined ? '' : `?before=${before}`
      const { body } = await page.get(`/api/conversations/long${query}`)
      expect(body.messages.length).toBeLessThan(130)
      expect(body.messages[0].index).toBe(body.from)
      seen.unshift(...body.messages)
      before = body.from as number
    } while (before > 0)
    expect(seen).toHaveLength(362)
    for (const [at, each] of seen.entries())
      if (at % 3 === 1 && at < 360)
        expect(each.parts).toMatchObject([
          { type: 'call', status: 'done', result: { parts: [{ text: `Result ${(at - 1) / 3}` }] } },
        ])
    const middle = (await page.get('/api/conversations/long?before=3')).body
    expect(middle.messages.map(({ index }: any) => index)).toEqual([0, 1])
  })

  it('are listed and read from the rows that are shown, and no others', async () => {
    const folder = await temporary()
    const address = `file:${join(folder, 'kept.db')}`
    const database = await openDatabase(address)
    const messages = Array.from({ length: 10_000 }, (_each, at): Message => ({
      role: at % 2 ? 'assistant' : 'user',
      content: `Message ${at}`,
    }))
    const key = { tenant: 'playground', conversation: 'long' }
    await sqlMemoryRepository(database).append(key, messages)
    // Whoever reads one of these fails.
    const plain = sqliteKysely(address)
    await plain
      .updateTable('toolwright_messages')
      .set({ content: 'no message' })
      .where('seq', '>', 0)
      .where((row) => row.or([row('seq', '<', 400), row('seq', '>=', 500)]))
      .execute()
    await plain.destroy()
    const page = await served({ folder, database })
    const { conversations } = (await page.get('/api/conversations')).body
    expect(conversations).toMatchObject([{ id: 'long', title: 'Message 0' }])
    const { status, body } = await page.get('/api/conversations/long?before=500')
    expect(status).toBe(200)
    expect([body.from, body.messages.length]).toEqual([400, 100])
    expect((await page.get('/api/conversations/long?before=501')).status).toBe(500)
  })

  it('are deleted with their traces and what waits in them', async () => {
    const { tools, paid } = shop()
    const page = await served({ tools, model: scriptedModel([payOnce, { hang: true }]) })
    const [waiting, running] = [await page.conversation(), await page.conversation()]
    await page.turn(waiting, 'Pay')
    const asked = { requestId: 'r', text: 'Hang', model: 'one' }
    await page.post(`/api/conversations/${running}/turns`, asked)
    const traces = await readdir(join(page.folder, 'traces'))
    expect(traces).toHaveLength(2)
    for (const id of [waiting, running]) {
      expect((await page.delete(`/api/conversations/${id}`)).status).toBe(204)
      expect((await page.get(`/api/conversations/${id}`)).status).toBe(404)
      expect((await decide(page, id, { p1: 'approve' })).status).toBe(404)
      expect((await page.delete(`/api/conversations/${id}`)).status).toBe(404)
    }
    expect(await readdir(join(page.folder, 'traces'))).toEqual([])
    expect((await page.get('/api/conversations')).body.conversations).toEqual([])
    expect((await page.get('/api/inbox')).body.waiting).toEqual([])
    expect(paid).toEqual([])
  })

  it('are exported by whoever serves the page', async () => {
    const exported: any[] = []
    const page = await served({
      model: scriptedModel(['Hello.']),
      exportConversation: async (conversation) => {
        exported.push(conversation)
        return { files: [{ name: 'a.test.ts', text: 'test' }], notes: ['There.'] }
      },
    })
    const id = await page.conversation()
    expect((await page.post(`/api/conversations/${id}/export`)).status).toBe(409)
    await page.turn(id, 'Hi')
    const { status, body } = await page.post(`/api/conversations/${id}/export`)
    expect([status, body.files[0].name, body.notes]).toEqual([200, 'a.test.ts', ['There.']])
    expect(exported).toMatchObject([{ id, title: 'Hi', messages: [{ role: 'user' }, {}] }])
    expect((await page.get('/api/session')).body.canExport).toBe(true)
    const plain = await served()
    const other = await plain.conversation()
    expect((await plain.post(`/api/conversations/${other}/export`)).status).toBe(404)
  })

  it('are exported with what the model was told first', async () => {
    const exported: any[] = []
    const page = await served({
      model: scriptedModel(['Ahoy.']),
      system: 'Talk like a sailor.',
      exportConversation: async (conversation) => {
        exported.push(conversation)
        return { files: [], notes: [] }
      },
    })
    const id = await page.conversation()
    await page.turn(id, 'Hi')
    await page.post(`/api/conversations/${id}/export`)
    expect(exported[0].messages).toMatchObject([
      { role: 'system', content: 'Talk like a sailor.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant' },
    ])
  })

  it('keep the question of a turn that the end of the server cuts off, to be asked again', async () => {
    const folder = await temporary()
    const first = await served({ folder, model: scriptedModel(['Yes.', { hang: true }]) })
    const [id, other] = [await first.conversation(), await first.conversation()]
    await first.turn(other, 'There?')
    const asked = { requestId: requestId(), text: 'Think hard', model: 'one' }
    await first.post(`/api/conversations/${id}/turns`, asked)
    expect((await first.get(`/api/conversations/${id}`)).body.messages).toEqual([])
    await first.playground.close()
    const page = await served({ folder, model: scriptedModel(['Thought.']) })
    const path = `/api/conversations/${id}`
    expect((await page.get(path)).body).toMatchObject({
      row: { title: 'Think hard', status: 'idle' },
      messages: [{ role: 'user', parts: [{ text: 'Think hard' }] }],
    })
    expect((await page.get(`${path}/trace`)).status).toBe(200)
    await page.post(`${path}/regenerate`, { requestId: requestId(), model: 'one' })
    await page.events(`${path}/events`)
    expect((await page.get(path)).body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', parts: [{ text: 'Thought.' }] },
    ])
  })

  it('say why they cannot be exported, in the words of whoever exports them', async () => {
    const page = await served({
      model: scriptedModel(['Hello.']),
      exportConversation: async () => ({
        problem: 'It cannot be played again: the key is sk-abcdefghijklmnop1234.',
      }),
    })
    const id = await page.conversation()
    await page.turn(id, 'Hi')
    const { status, body } = await page.post(`/api/conversations/${id}/export`)
    expect([status, body.error]).toEqual([
      409,
      { code: 'not-exported', message: 'It cannot be played again: the key is [redacted].' },
    ])
  })

  it('are not exported while a turn waits or runs', async () => {
    const page = await served({
      tools: shop().tools,
      model: scriptedModel([payOnce, { hang: true }]),
      exportConversation: async () => ({ files: [], notes: [] }),
    })
    const refused = async (id: string) => {
      const { status, body } = await page.post(`/api/conversations/${id}/export`)
      return [status, body.error.message]
    }
    const [waiting, running] = [await page.conversation(), await page.conversation()]
    await page.turn(waiting, 'Pay')
    expect(await refused(waiting)).toEqual([409, 'Decide what waits first.'])
    const asked = { requestId: requestId(), text: 'Hang', model: 'one' }
    await page.post(`/api/conversations/${running}/turns`, asked)
    expect(await refused(running)).toEqual([409, 'Wait until the turn is over.'])
    expect(await refused('none')).toEqual([
      ...[404, 'There is no such conversation. It was deleted, or nothing of it was kept.'],
    ])
  })
})

describe('what waits', () => {
  it('is in the inbox, and every page hears how much it is', async () => {
    const { tools, paid } = shop()
    const page = await served({ tools, model: scriptedModel([payOnce, 'Paid.']) })
    const id = await page.conversation()
    const heard = await listening(page, (news) => news.type === 'inbox' && paid.length > 0)
    await page.turn(id, 'Pay')
    const { waiting } = (await page.get('/api/inbox')).body
    expect(waiting).toMatchObject([
      {
        conversation: { id, title: 'Pay', status: 'waiting' },
        pending: [{ callId: 'p1', preview: 'pays 5' }],
      },
    ])
    await decide(page, id, { p1: 'approve' })
    await page.events(`/api/conversations/${id}/events`)
    expect((await page.get('/api/inbox')).body.waiting).toEqual([])
    const news = await heard()
    expect(news[0]).toMatchObject({ type: 'hello', toolsRevision: 1, waiting: 0 })
    expect(news.filter(({ type }) => type === 'inbox').map((each) => each.waiting)).toContain(1)
    const rows = news.filter(({ type }) => type === 'conversation').map(({ row }) => row)
    expect(rows.every((row) => row.id === id && row.title === 'Pay')).toBe(true)
    expect(rows.map(({ status }) => status).slice(0, 2)).toEqual(['running', 'waiting'])
  })

  it('still waits after a restart, is told again, and decided then', async () => {
    const { tools, paid } = shop()
    const folder = await temporary()
    const first = await served({
      tools,
      folder,
      model: scriptedModel([
        'Before.',
        { text: 'I add.', toolCalls: [{ name: 'add', id: 'a1', arguments: { a: 1, b: 2 } }] },
        { text: 'I pay.', ...payOnce },
      ]),
    })
    const id = await first.conversation()
    await first.turn(id, 'Hello')
    const before = await first.turn(id, 'Add and pay')
    await first.playground.close()
    const model = scriptedModel(['All done.'])
    const page = await served({ tools, folder, model })
    expect((await page.get('/api/conversations')).body.conversations).toMatchObject([
      { id, title: 'Hello', status: 'waiting' },
    ])
    expect((await page.get(`/api/conversations/${id}`)).body).toMatchObject({
      row: { status: 'waiting' },
      messages: [{ role: 'user' }, { role: 'assistant' }],
    })
    const path = `/api/conversations/${id}`
    const refused = await page.post(`${path}/turns`, { requestId: 'x', text: 'y', model: 'one' })
    expect(refused.body.error.code).toBe('waiting')
    const isPending = ({ type }: any) => type === 'pending'
    // A page that was there before has a number of an earlier event.
    const again = await page.events(`${path}/events?after=${before.at(-1).seq}`, isPending)
    const facts = (events: readonly any[]) =>
      events
        .filter(({ type }) => !/call-(start|arguments|run)/.test(type))
        .map(({ seq: _seq, at: _at, ...rest }) => rest)
    expect(facts(again)).toEqual(facts(before))
    expect((await decide(page, id, { p1: 'approve' })).status).toBe(202)
    expect((await page.events(`${path}/events`)).at(-1)).toMatchObject({ status: 'done' })
    expect(paid).toEqual([5])
    expect((await page.get(path)).body.messages).toHaveLength(6)
  })

  it('keeps its place and its title after a restart, also when it is opened', async () => {
    const { tools } = shop()
    const folder = await temporary()
    const first = await served({ tools, folder, model: scriptedModel([payOnce]) })
    const id = await first.conversation()
    await first.turn(id, 'Pay')
    await first.playground.close()
    const page = await served({ tools, folder })
    const [{ since }] = (await page.get('/api/inbox')).body.waiting
    const row = { id, title: 'Pay', changedAt: since, status: 'waiting' }
    const heard = await listening(page, ({ type }) => type === 'conversation')
    expect((await page.get(`/api/conversations/${id}`)).body.row).toEqual(row)
    expect((await heard()).find(({ type }) => type === 'conversation').row).toEqual(row)
    expect((await page.get('/api/conversations')).body.conversations).toEqual([row])
  })

  it('is decided once, also by two servers on one database', async () => {
    const { tools, paid } = shop()
    const folder = await temporary()
    const answers = () => scriptedModel([payOnce, 'Done.'])
    const one = await served({ tools, folder, model: answers() })
    const id = await one.conversation()
    await one.turn(id, 'Pay')
    const other = await served({ tools, folder, model: scriptedModel(['Done.']) })
    const replies = await Promise.all(
      [one, other].map((page) => decide(page, id, { p1: 'approve' })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 409])
    expect(replies.find(({ status }) => status === 409)?.body.error.code).toBe('decided')
    for (const page of [one, other]) await page.events(`/api/conversations/${id}/events`)
    expect(paid).toEqual([5])
  })

  it('is ended by a stop, for good', async () => {
    const { tools, paid } = shop()
    const page = await served({ tools, model: scriptedModel([payOnce, 'Next.']) })
    const id = await page.conversation()
    await page.turn(id, 'Pay')
    expect((await page.post(`/api/conversations/${id}/stop`)).status).toBe(202)
    const events = await page.events(`/api/conversations/${id}/events`)
    expect(events.at(-1)).toMatchObject({ type: 'end', status: 'stopped' })
    expect((await decide(page, id, { p1: 'approve' })).status).toBe(409)
    expect((await page.get('/api/inbox')).body.waiting).toEqual([])
    expect((await page.turn(id, 'Else')).at(-1)).toMatchObject({ status: 'done' })
    expect(paid).toEqual([])
  })

  it('says which model goes on where its own is not offered any more', async () => {
    const { tools } = shop()
    const folder = await temporary()
    const models = [{ id: 'gone', label: 'Gone', model: scriptedModel([payOnce]) }]
    const first = await served({ tools, folder, models })
    const id = await first.conversation()
    const asked = { requestId: requestId(), text: 'Pay', model: 'gone' }
    await first.post(`/api/conversations/${id}/turns`, asked)
    const isPending = ({ type }: any) => type === 'pending'
    await first.events(`/api/conversations/${id}/events`, isPending)
    await first.playground.close()
    const page = await served({ tools, folder, model: scriptedModel(['Paid.']) })
    const events = await page.events(`/api/conversations/${id}/events`, isPending)
    expect(events[0]).toMatchObject({ type: 'start', model: 'one' })
    expect(events.find(({ type }) => type === 'notice')).toMatchObject({
      message: 'The model "gone" is not offered any more. One goes on.',
    })
  })

  it('goes on waiting if the tool was changed, and says so', async () => {
    const folder = await temporary()
    const first = await served({ tools: shop().tools, folder, model: scriptedModel([payOnce]) })
    const id = await first.conversation()
    await first.turn(id, 'Pay')
    await first.playground.close()
    const [, pay] = shop().tools
    const changed = { ...pay!, definition: { ...pay!.definition, description: 'Pays all.' } }
    const page = await served({ tools: [changed], folder, model: scriptedModel([]) })
    const reply = await decide(page, id, { p1: 'approve' })
    expect([reply.status, reply.body.error.code]).toEqual([422, 'state-tools-changed'])
    expect((await page.get('/api/inbox')).body.waiting).toHaveLength(1)
  })
})

describe('traces', () => {
  it('of a conversation have its runs, for its owner only', async () => {
    const page = await served({ model: scriptedModel(['Hello.']), system: 'Be kind.' })
    const id = await page.conversation()
    const none = await page.get(`/api/conversations/${id}/trace`)
    expect([none.status, none.body.error.code]).toEqual([404, 'no-trace'])
    await page.turn(id, 'Hi')
    const { body } = await page.get(`/api/conversations/${id}/trace`)
    expect(body).toMatchObject({ kind: 'trace', name: 'Hi', trace: { runs: [{}] } })
    expect(JSON.stringify(body)).toContain('Be kind.')
    const [file] = await readdir(join(page.folder, 'traces'))
    expect(file).toMatch(/^[0-9a-f]{32}\.jsonl$/)
    expect((await stat(join(page.folder, 'traces'))).mode & 0o077).toBe(0)
    expect((await stat(join(page.folder, 'traces', file!))).mode & 0o077).toBe(0)
    expect((await stat(join(page.folder, 'state-secret'))).mode & 0o077).toBe(0)
    const text = await readFile(join(page.folder, 'traces', file!), 'utf8')
    const opened = await openText(page, text)
    expect(opened.body).toMatchObject({ kind: 'trace', name: 'mine.jsonl', trace: { runs: [{}] } })
  })

  it('and cassettes are opened from their text', async () => {
    const page = await served()
    const path = join(page.folder, 'one.cassette.json')
    const model = scriptedModel([{ toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }, '3.'])
    const tape = cassette(path, { mode: 'record', model, tools: shop().tools })
    await ChatClient.create(tape.model, { tools: tape.tools }).prompt('1 + 2?').call().content()
    await tape.finish()
    const { status, body } = await openText(page, await readFile(path, 'utf8'))
    expect(status).toBe(200)
    expect(body.kind).toBe('cassette')
    expect(body.exchanges.map(({ messages }: any) => messages.length)).toEqual([1, 3])
    expect(body.exchanges[0].tools).toContainEqual({
      name: 'add',
      description: 'Adds two numbers.',
    })
    expect(body.exchanges[1].answer.results[0].message.content).toBe('3.')
    expect(body.calls).toMatchObject([{ tool: 'add', input: { a: 1, b: 2 }, outcome: {} }])
  })

  it.each([
    ['', 'trace-'],
    ['<html>', 'trace-'],
    ['{"format":"toolwright-cassette","version":1', 'cassette-unreadable'],
    ['{"format":"toolwright-cassette","version":9}', 'cassette-version'],
  ])('that are none are refused in words: %s', async (text, code) => {
    const page = await served()
    const { status, body } = await openText(page, text)
    expect(status).toBe(422)
    expect(body.error.code).toContain(code)
  })
})

describe('news', () => {
  it('tell of changed tools, deletions, and that they are still there', async () => {
    const listeners = new Set<() => void>()
    const tools = {
      ...fixedTools(shop().tools),
      problem: 'tools.ts is broken',
      quarantined: ['evil: its description changed'],
      onChange: (listener: () => void) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    }
    const page = await served({ tools, ports: { heartbeatMs: 5 } })
    const id = await page.conversation()
    const heard = await listening(page, ({ type }) => type === 'conversation-deleted')
    for (const listener of listeners) listener()
    await page.delete(`/api/conversations/${id}`)
    expect((await heard()).map(({ type }) => type)).toEqual([
      'hello',
      'tools',
      'conversation-deleted',
    ])
    expect((await page.get('/api/tools')).body).toMatchObject({
      revision: 2,
      problem: 'tools.ts is broken',
      quarantined: ['evil: its description changed'],
    })
    const token = new URL(page.playground.url).searchParams.get('token')!
    const stream = await fetch(`http://127.0.0.1:${page.playground.port}/api/news`, {
      headers: { 'x-toolwright-token': token },
    })
    let text = ''
    for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      if (text.includes(': still here')) break
    }
    expect(text).toContain('"hello","toolsRevision":2')
    await page.playground.close()
    expect(listeners.size).toBe(0)
  })

  it('go to a hundred pages at most', async () => {
    const page = await served()
    const token = new URL(page.playground.url).searchParams.get('token')!
    const leave = new AbortController()
    const open = async () => {
      const { port } = page.playground
      const headers = { 'x-toolwright-token': token }
      return fetch(`http://127.0.0.1:${port}/api/news`, { headers, signal: leave.signal })
    }
    // Kept, because fetch closes a stream whose answer is collected as garbage.
    const kept: Response[] = []
    for (let at = 0; at <= 100; at++) kept.push(await open())
    expect(kept.map(({ status }) => status)).toEqual([...Array<number>(100).fill(200), 503])
    leave.abort()
  })
})

describe('a playground', () => {
  it('is served and closed, also while something runs', async () => {
    const folder = await temporary()
    await using database = await openDatabase(':memory:')
    const model = scriptedModel([{ hang: true }])
    const options = {
      tools: fixedTools([]),
      models: [{ id: 'one', label: 'One', model }],
      database,
      folder,
    }
    let port: number
    {
      await using playground = await servePlayground(options)
      port = playground.port
      expect(playground.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/)
      await expect(servePlayground({ ...options, port })).rejects.toThrow(
        `The port ${port} is taken.`,
      )
      const headers = {
        'x-toolwright-token': new URL(playground.url).searchParams.get('token')!,
        'content-type': 'application/json',
      }
      const base = `http://127.0.0.1:${port}/api/conversations`
      const { id } = (await (await fetch(base, { method: 'POST', headers })).json()) as any
      const body = JSON.stringify({ requestId: 'r', text: 'Hang', model: 'one' })
      expect((await fetch(`${base}/${id}/turns`, { method: 'POST', headers, body })).status).toBe(
        202,
      )
    }
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
  })

  it.each([
    [{ models: [] }, /no model/],
    [{ port: 70_000 }, /no port 70000/],
    [{ port: 1.5 }, /port/],
    [{ host: '0.0.0.0' }, /"host"/],
  ])('refuses %j', async (wrong, words) => {
    await using database = await openDatabase(':memory:')
    const model = { id: 'one', label: 'One', model: scriptedModel([]) }
    const options = { tools: fixedTools([]), models: [model], database, folder: await temporary() }
    await expect(servePlayground({ ...options, ...(wrong as object) })).rejects.toThrow(words)
  })

  it('is not served in production, unless that is meant', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    await using database = await openDatabase(':memory:')
    const model = { id: 'one', label: 'One', model: scriptedModel([]) }
    const options = { tools: fixedTools([]), models: [model], database, folder: await temporary() }
    await expect(servePlayground(options)).rejects.toThrow('{ allowInProduction: true }')
    await using playground = await servePlayground({ ...options, allowInProduction: true })
    expect(playground.port).toBeGreaterThan(0)
  })

  it('refuses a key that is none', async () => {
    const folder = await temporary()
    await writeFile(join(folder, 'state-secret'), '')
    await expect(served({ folder })).rejects.toThrow(/holds no key/)
  })
})

/** A page that hears news from now on; what it gives reads them to the last. */
async function listening(page: Page, until: (news: any) => boolean) {
  let hasBegun = (): void => {}
  const begun = new Promise<void>((resolve) => (hasBegun = resolve))
  const heard = page.events('/api/news', (news) => (hasBegun(), until(news)))
  await begun
  return () => heard
}

const openText = (page: Page, body: string) =>
  page.raw({
    method: 'POST',
    path: '/api/traces?name=mine.jsonl',
    headers: {
      'x-toolwright-token': new URL(page.playground.url).searchParams.get('token')!,
      'content-type': 'text/plain',
    },
    body,
  })
