import { scriptedModel } from 'toolwright/testing'
import { describe, expect, it } from 'vitest'
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
})
