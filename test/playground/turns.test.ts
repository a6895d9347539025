import { ChatClient, clientTool, ProviderError, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { afterEvents, NO_TURN } from '../../packages/playground/page/src/chat/turn-state.ts'
import { requestId, served } from './served.ts'
import { shop } from './shop.ts'

const types = (events: readonly any[]) => events.map(({ type }) => type as string)
const said = (events: readonly any[]) =>
  events
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text as string)
    .join('')
const payTwice = {
  toolCalls: [
    { name: 'pay', id: 'p1', arguments: { amount: 5 } },
    { name: 'pay', id: 'p2', arguments: { amount: 900 } },
  ],
}
const ask = (text: string) => ({ requestId: requestId(), text, model: 'one' })

describe('a turn', () => {
  it('is told event by event, and kept when it is done', async () => {
    const model = scriptedModel([
      { text: 'I add.', toolCalls: [{ name: 'add', id: 'a1', arguments: { a: 1, b: 2 } }] },
      { text: 'It is 3.', usage: { inputTokens: 7, outputTokens: 2 } },
      'As I said.',
    ])
    const page = await served({ tools: shop().tools, model, system: 'Be brief.' })
    const id = await page.conversation()
    const events = await page.turn(id, 'What is 1 + 2?')
    expect(types(events).filter((type) => type !== 'call-arguments')).toEqual([
      ...['start', 'round', 'text', 'call-start', 'call', 'call-run', 'call-result'],
      ...['round', 'text', 'end'],
    ])
    expect(events[0]).toMatchObject({ text: 'What is 1 + 2?', model: 'one' })
    expect(events.find(({ type }) => type === 'call-result')).toMatchObject({
      id: 'a1',
      status: 'done',
      content: { parts: [{ type: 'text', text: '3' }] },
    })
    expect(said(events)).toBe('I add.It is 3.')
    expect(events.at(-1)).toMatchObject({ status: 'done', usage: { inputTokens: 7 } })
    const { body } = await page.get(`/api/conversations/${id}`)
    expect(body.row).toMatchObject({ id, title: 'What is 1 + 2?', status: 'idle' })
    expect(body.from).toBe(0)
    expect(body.messages).toMatchObject([
      { index: 0, role: 'user', parts: [{ text: 'What is 1 + 2?' }] },
      {
        index: 1,
        role: 'assistant',
        parts: [{ text: 'I add.' }, { type: 'call', status: 'done' }],
      },
      { index: 3, role: 'assistant', parts: [{ text: 'It is 3.' }] },
    ])
    await page.turn(id, 'Again?')
    const prompt = model.prompts.at(-1)!
    expect(prompt.messages.map(({ role }) => role)).toEqual(
      'system user assistant tool assistant user'.split(' '),
    )
  })

  it('waits for both decisions and does what each of them says', async () => {
    const { tools, paid } = shop()
    const page = await served({ tools, model: scriptedModel([payTwice, 'Done.']) })
    const id = await page.conversation()
    const waiting = await page.turn(id, 'Pay both')
    const { pending } = waiting.at(-1)
    expect(pending).toMatchObject([
      { callId: 'p1', kind: 'approval', input: { amount: 5 }, preview: 'pays 5' },
      { callId: 'p2', kind: 'approval', input: { amount: 900 } },
    ])
    expect(pending[0].schema.properties).toHaveProperty('amount')
    const path = `/api/conversations/${id}`
    expect((await page.post(`${path}/turns`, ask('More'))).body.error.code).toBe('waiting')
    const decisions = { p1: { edit: { amount: 6 } }, p2: { deny: 'Too much' } }
    expect((await page.post(`${path}/decisions`, { requestId: 'd', decisions })).status).toBe(202)
    const rest = await page.events(`${path}/events?after=${waiting.at(-1).seq}`)
    expect(rest[0]).toMatchObject({ type: 'resumed', decided: { p1: 'edit', p2: 'deny' } })
    const results = rest.filter(({ type }) => type === 'call-result')
    expect(results).toHaveLength(2)
    expect(results.find((each) => each.id === 'p1')).toMatchObject({ status: 'done' })
    expect(results.find((each) => each.id === 'p2')).toMatchObject({ status: 'denied' })
    expect(rest.at(-1)).toMatchObject({ type: 'end', status: 'done' })
    expect(paid).toEqual([6])
  })

  it('takes some of the decisions; the rest goes on waiting', async () => {
    const { tools, paid } = shop()
    const page = await served({ tools, model: scriptedModel([payTwice, 'Done.']) })
    const id = await page.conversation()
    const waiting = await page.turn(id, 'Pay both')
    const path = `/api/conversations/${id}`
    const decide = (requestId: string, decisions: object) =>
      page.post(`${path}/decisions`, { requestId, decisions })
    expect((await decide('1', { p2: 'approve' })).status).toBe(202)
    const rest = await page.events(
      `${path}/events?after=${waiting.at(-1).seq}`,
      ({ type }) => type === 'pending',
    )
    expect(rest.at(-1).pending).toMatchObject([{ callId: 'p1' }])
    expect(paid).toEqual([900])
    expect((await decide('2', { p1: 'approve' })).status).toBe(202)
    expect((await page.events(`${path}/events`)).at(-1)).toMatchObject({ status: 'done' })
    expect(paid).toEqual([900, 5])
  })

  it.each([
    ['a call that does not exist', { other: 'approve' }, 'decision-unknown-call'],
    ['a call of the prototype', { constructor: 'approve' }, 'decision-unknown-call'],
    ['another kind', { p1: { answer: 'yes' } }, 'decision-wrong-kind'],
    ['no decision', { p1: { approve: true } }, 'decision-wrong-kind'],
    ['an edit that does not fit', { p1: { edit: { amount: 'much' } } }, 'decision-invalid-edit'],
    ['a good and a forged one', { p1: 'approve', other: 'approve' }, 'decision-unknown-call'],
  ])('refuses a decision about %s, and goes on waiting', async (_what, decisions, code) => {
    const { tools, paid } = shop()
    const page = await served({ tools, model: scriptedModel([payTwice, 'Done.']) })
    const id = await page.conversation()
    const waiting = await page.turn(id, 'Pay both')
    const path = `/api/conversations/${id}`
    const reply = await page.post(`${path}/decisions`, { requestId: 'd', decisions })
    expect([reply.status, reply.body.error.code]).toEqual([422, code])
    expect(paid).toEqual([])
    const good = { requestId: 'e', decisions: { p1: 'approve', p2: { deny: 'no' } } }
    expect((await page.post(`${path}/decisions`, good)).status).toBe(202)
    const rest = await page.events(`${path}/events?after=${waiting.at(-1).seq}`)
    expect(rest[0]).toMatchObject({ type: 'decision-refused', error: { code } })
    expect(rest[0].error).toEqual(reply.body.error)
    expect(paid).toEqual([5])
  })

  it('says of decisions that do not fit which call and which field is wrong', async () => {
    const form = {
      type: 'object',
      properties: { seats: { type: 'integer', minimum: 1 }, day: { type: 'string' } },
      required: ['seats', 'day'],
    }
    const book = tool({
      name: 'book',
      description: 'Asks by a form.',
      input: z.object({}),
      execute: (_input, context) =>
        context.suspend({ mode: 'form', message: 'How many?', requestedSchema: form }),
    })
    const choose = tool({
      name: 'choose',
      description: 'A person chooses.',
      input: z.object({}),
      output: z.object({ colour: z.string() }),
    })
    const { tools } = shop()
    const toolCalls = [
      { name: 'pay', id: 'p', arguments: { amount: 5 } },
      { name: 'book', id: 'b' },
      { name: 'choose', id: 'c' },
    ]
    const model = scriptedModel([{ toolCalls }, 'Done.'])
    const page = await served({ tools: [...tools, book, choose], model })
    const id = await page.conversation()
    const waiting = await page.turn(id, 'Go')
    const path = `/api/conversations/${id}`
    const refused = async (decisions: object) => {
      const sent = { requestId: requestId(), decisions }
      const { status, body } = await page.post(`${path}/decisions`, sent)
      const { code, callId, issues } = body.error
      return [status, code, callId, issues?.map((issue: any) => issue.path)]
    }
    expect(await refused({ p: { edit: { amount: 5000 } } })).toEqual([
      ...[422, 'decision-invalid-edit', 'p', [['amount']]],
    ])
    expect(await refused({ c: { result: { colour: 5 } } })).toEqual([
      ...[422, 'decision-invalid-result', 'c', [['colour']]],
    ])
    expect(await refused({ b: { answer: { seats: 0 } } })).toEqual([
      ...[422, 'decision-invalid-answer', 'b', [['day'], ['seats']]],
    ])
    expect(await refused({ gone: 'approve' })).toEqual([
      ...[422, 'decision-unknown-call', 'gone', undefined],
    ])
    expect(await refused({ p: 'retry' })).toEqual([422, 'decision-wrong-kind', 'p', undefined])
    const decisions = {
      p: 'approve',
      b: { answer: { seats: 2, day: 'Monday' } },
      c: { result: { colour: 'red' } },
    }
    expect(
      (await page.post(`${path}/decisions`, { requestId: requestId(), decisions })).status,
    ).toBe(202)
    const rest = await page.events(`${path}/events?after=${waiting.at(-1).seq}`)
    const told = rest.filter(({ type }) => type === 'decision-refused')
    expect(told.map(({ error }) => error.issues?.[0].message)).toEqual([
      ...[expect.any(String), expect.any(String), expect.any(String), undefined, undefined],
    ])
  })

  it('is decided once, whichever of two tabs is faster', async () => {
    const { tools, paid } = shop()
    const page = await served({ tools, model: scriptedModel([payTwice, 'Done.']) })
    const id = await page.conversation()
    await page.turn(id, 'Pay both')
    const path = `/api/conversations/${id}/decisions`
    const decisions = { p1: 'approve', p2: 'approve' }
    const replies = await Promise.all(
      ['a', 'b', 'a'].map((requestId) => page.post(path, { requestId, decisions })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 202, 409])
    const events = await page.events(`/api/conversations/${id}/events`)
    expect(events.at(-1)).toMatchObject({ type: 'end', status: 'done' })
    expect(paid.toSorted((a, b) => a - b)).toEqual([5, 900])
    const late = await page.post(path, { requestId: 'c', decisions })
    expect([late.status, late.body.error.code]).toEqual([409, 'decided'])
    expect((await page.post(path, { requestId: 'a', decisions })).status).toBe(replies[0]!.status)
  })

  it('asks and gets an answer, and a result that a person supplies', async () => {
    const sure = tool({
      name: 'sure',
      description: 'Asks whether it is so.',
      input: z.object({}),
      execute: (_input, context) => `The answer is ${String(context.suspend('Sure?'))}`,
    })
    const model = scriptedModel([
      {
        toolCalls: [
          { name: 'sure', id: 's' },
          { name: 'pick', id: 'k' },
        ],
      },
      'Done.',
    ])
    const page = await served({ tools: [sure, ...shop().tools], model })
    const id = await page.conversation()
    const { pending } = (await page.turn(id, 'Ask me')).at(-1)
    expect(pending).toMatchObject([
      { callId: 's', kind: 'question', question: 'Sure?' },
      { callId: 'k', kind: 'result' },
    ])
    const decisions = { s: { answer: 'yes' }, k: { result: 'red' } }
    await page.post(`/api/conversations/${id}/decisions`, { requestId: 'd', decisions })
    const events = await page.events(`/api/conversations/${id}/events`)
    const results = events.filter(({ type }) => type === 'call-result')
    expect(results.map((each) => [each.id, each.content.parts[0].text]).sort()).toEqual([
      ['k', 'red'],
      ['s', 'The answer is yes'],
    ])
  })

  it('runs once, however often it is asked for, and no other beside it', async () => {
    const model = scriptedModel([{ text: 'Slow', hang: true }, 'Next.'])
    const page = await served({ model })
    const id = await page.conversation()
    const path = `/api/conversations/${id}`
    const asked = ask('One')
    const [one, same] = await Promise.all([1, 2].map(() => page.post(`${path}/turns`, asked)))
    expect([one!.status, same!.body]).toEqual([202, one!.body])
    const other = await page.post(`${path}/turns`, ask('Two'))
    expect([other.status, other.body.error.code]).toEqual([409, 'busy'])
    const again = { requestId: 'again', model: 'one' }
    expect((await page.post(`${path}/regenerate`, again)).body.error.code).toBe('busy')
    expect((await page.get('/api/conversations')).body.conversations).toMatchObject([
      { id, title: 'One', status: 'running' },
    ])
    expect((await page.post(`${path}/stop`)).status).toBe(202)
    const events = await page.events(`${path}/events`)
    expect(events.at(-1)).toMatchObject({ type: 'end', status: 'stopped' })
    expect(said(events)).toBe('Slow')
    expect((await page.get(path)).body).toMatchObject({ messages: [], row: { status: 'idle' } })
    expect(said(await page.turn(id, 'Two'))).toBe('Next.')
    expect(model.prompts.at(-1)!.messages).toHaveLength(1)
  })

  it('is the same for a second tab and for one that comes back', async () => {
    const model = scriptedModel([
      { toolCalls: [{ name: 'count', arguments: { to: 3 } }] },
      'Three.',
    ])
    const page = await served({ tools: shop().tools, model })
    const id = await page.conversation()
    const path = `/api/conversations/${id}/events`
    const all = await page.turn(id, 'Count')
    expect(await page.events(path)).toEqual(all)
    for (const { seq } of all)
      expect(await page.events(`${path}?after=${seq}`)).toEqual(all.filter((e) => e.seq > seq))
    expect((await page.get(`${path}?after=x`)).status).toBe(400)
  })

  it('is told until it waits, to pages that want no more', async () => {
    const { tools } = shop()
    const page = await served({ tools, model: scriptedModel([payTwice, 'Done.']) })
    const id = await page.conversation()
    const path = `/api/conversations/${id}`
    await page.turn(id, 'Pay both')
    const rest = (after: number) => page.events(`${path}/events?until=waiting&after=${after}`)
    const asked = await rest(0)
    expect(asked.at(-1).type).toBe('pending')
    expect(await rest(asked.at(-1).seq)).toEqual([])
    const some = { requestId: 'd1', decisions: { p1: 'approve' } }
    await page.post(`${path}/decisions`, some)
    const still = await rest(asked.at(-1).seq)
    expect([types(still)[0], types(still).at(-1)]).toEqual(['resumed', 'pending'])
    const wrong = { requestId: 'd2', decisions: { p2: { edit: { amount: 'much' } } } }
    expect((await page.post(`${path}/decisions`, wrong)).status).toBe(422)
    const refused = await rest(still.at(-1).seq)
    expect(types(refused)).toEqual(['decision-refused'])
    await page.post(`${path}/decisions`, { requestId: 'd3', decisions: { p2: 'approve' } })
    expect(types(await rest(refused.at(-1).seq)).at(-1)).toBe('end')
    const reply = await page.get(`${path}/events?until=never`)
    expect(reply.body.error.message).toBe('"until" is not "waiting".')
  })

  it('leaves the conversation as it was when it fails', async () => {
    const model = scriptedModel([
      'Fine.',
      { text: 'Well', error: new Error('secret words') },
      { error: new ProviderError('provider-rejected', 'It said no.', { provider: 'p' }) },
      'Fine again.',
    ])
    const page = await served({ model })
    const id = await page.conversation()
    await page.turn(id, 'First')
    const failed = await page.turn(id, 'Second')
    expect(failed.at(-1)).toMatchObject({ status: 'failed', error: { code: 'internal' } })
    expect(JSON.stringify(failed)).not.toContain('secret words')
    expect(page.warnings.join()).toContain('secret words')
    const refused = await page.turn(id, 'Third')
    expect(refused.at(-1).error).toMatchObject({ message: expect.stringContaining('It said no.') })
    expect((await page.get(`/api/conversations/${id}`)).body.messages).toHaveLength(2)
    await page.turn(id, 'Fourth')
    expect(model.prompts.at(-1)!.messages.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'user'],
    ])
  })

  it('is asked again, and nothing is lost if that fails', async () => {
    const model = scriptedModel([
      'One.',
      'Two.',
      { error: new Error('no') },
      { text: 'Hm', hang: true },
      'Two, better.',
      'Three.',
    ])
    const page = await served({ model })
    const id = await page.conversation()
    const path = `/api/conversations/${id}`
    const texts = async () =>
      (await page.get(path)).body.messages.map((each: any) => each.parts[0].text)
    const again = () => page.post(`${path}/regenerate`, { requestId: requestId(), model: 'one' })
    const none = await again()
    expect([none.status, none.body.error.code]).toEqual([409, 'nothing-asked'])
    await page.turn(id, 'First?')
    await page.turn(id, 'Second?')
    const before = ['First?', 'One.', 'Second?', 'Two.']
    await again()
    const failed = await page.events(`${path}/events`)
    expect(failed[0]).toMatchObject({ type: 'start', text: 'Second?' })
    expect(failed.at(-1)).toMatchObject({ status: 'failed' })
    expect(await texts()).toEqual(before)
    await again()
    expect(await texts()).toEqual(['First?', 'One.'])
    await page.post(`${path}/stop`)
    expect(await texts()).toEqual(before)
    await again()
    await page.events(`${path}/events`)
    expect(await texts()).toEqual(['First?', 'One.', 'Second?', 'Two, better.'])
    expect(model.prompts.at(-1)!.messages).toHaveLength(3)
    await page.turn(id, 'Third?')
    expect(model.prompts.at(-1)!.messages).toHaveLength(5)
  })

  it('shows nothing of states, contexts and prompts, and tools of any kind', async () => {
    const hidden = tool({
      name: 'hidden',
      description: 'h',
      input: z.object({}),
      needs: ['history'],
      resultConverter: () => '<img src=x onerror=alert(1)>\u001b[31m',
      execute: async function* () {
        yield { signature: 'sealed', messages: [], pending: [] }
        yield { big: 1n }
        return { raw: 'raw value' }
      },
    })
    const model = scriptedModel([
      {
        toolCalls: [
          { name: 'hidden' },
          { name: 'boom' },
          { name: 'flood' },
          { name: 'pay', arguments: { amount: 1 } },
        ],
      },
    ])
    const page = await served({ tools: [hidden, ...shop().tools], model, system: 'Secret system.' })
    const events = await page.turn(await page.conversation(), 'Go')
    const text = JSON.stringify(events)
    expect(text).not.toMatch(/sealed|raw value|Secret system|signature/)
    expect(text).toContain('<img src=x onerror=alert(1)>')
    expect(types(events).filter((type) => type === 'call-progress')).toHaveLength(2)
    expect(text.length).toBeLessThan(1024 * 1024)
  })

  it('keeps the calls of runs inside of tools apart, whatever their ids are', async () => {
    const look = tool({ name: 'look', execute: () => 'found' })
    const inner = () => {
      const model = scriptedModel([
        { toolCalls: [{ name: 'look', id: 'call_0', arguments: {} }] },
        { text: 'Looked.' },
      ])
      return ChatClient.create(model, { tools: [look] })
    }
    const clerks = ['anna', 'ben'].map((name) =>
      clientTool(inner(), { name, description: 'Looks things up' }),
    )
    const model = scriptedModel([
      {
        toolCalls: ['anna', 'ben'].map((name, at) => ({
          name,
          id: `call_${at}`,
          arguments: { prompt: `Ask ${name}` },
        })),
      },
      'Done.',
    ])
    const page = await served({ tools: clerks, model })
    const id = await page.conversation()
    const state = afterEvents(NO_TURN, await page.turn(id, 'Ask both'))
    const calls = state.items.flatMap((item) => (item.type === 'call' ? [item.call] : []))
    expect(calls).toMatchObject(
      ['anna', 'ben'].map((name, at) => ({
        id: `call_${at}`,
        arguments: JSON.stringify({ prompt: `Ask ${name}` }),
        result: { parts: [{ text: 'Looked.' }] },
        calls: [{ name: 'look', arguments: '{}', result: { parts: [{ text: 'found' }] } }],
      })),
    )
  })

  it('is refused for a conversation, model or text that is none', async () => {
    const page = await served({ model: scriptedModel([]) })
    const id = await page.conversation()
    for (const [path, body, status] of [
      ['unknown', ask('x'), 404],
      [id, { ...ask('x'), model: 'http://evil.test' }, 400],
      [id, ask(' '), 400],
    ] as const)
      expect((await page.post(`/api/conversations/${path}/turns`, body)).status).toBe(status)
    expect((await page.get(`/api/conversations/${id}/events`)).body.error.code).toBe('no-turn')
    const decide = { requestId: 'd', decisions: { a: 'approve' } }
    expect((await page.post(`/api/conversations/${id}/decisions`, decide)).status).toBe(409)
  })

  it('is one of eight at most', async () => {
    const model = scriptedModel(Array.from({ length: 9 }, () => ({ hang: true })))
    const page = await served({ model })
    const replies = []
    for (let at = 0; at < 9; at++)
      replies.push(
        await page.post(`/api/conversations/${await page.conversation()}/turns`, ask('x')),
      )
    expect(replies.map(({ status }) => status)).toEqual([...Array(8).fill(202), 429])
  })
})
