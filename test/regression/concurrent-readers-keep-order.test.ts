/** Calls of `next()` that waited at the same time overtook each other. */
import { expect, it } from 'vitest'
import { ChatClient, tool, type ChatModel } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const words = Array.from({ length: 40 }, (_, n) => `w${n} `)

/** Says each word in a delta of its own, with events between that are no text, and waits where it is told to. */
function talking(pause: (n: number) => Promise<void> | void): ChatModel {
  return {
    ...scriptedModel([]),
    async *stream() {
      for (const [n, text] of words.entries()) {
        await pause(n)
        yield { type: 'text-delta', text }
        if (n % 3 === 0) yield { type: 'reasoning-delta', text: 'hm' }
      }
      const message = { role: 'assistant' as const, content: words.join('') }
      const results = [{ message, finishReason: 'stop' as const, metadata: {} }]
      yield { type: 'response', response: { results, usage: {}, metadata: {} } }
    },
  }
}

const turn = (): Promise<void> => new Promise((wake) => setImmediate(wake))

for (const [name, pause] of [
  ['at once', () => {}],
  ['slowly', turn],
  ['in bursts', (n: number) => (n % 7 === 0 ? turn() : undefined)],
] as const) {
  it(`content() of a model that talks ${name}`, async () => {
    const content = ChatClient.create(talking(pause)).prompt('Go').stream().content()
    const asked = Array.from({ length: words.length + 3 }, () => content.next())
    const steps = await Promise.all(asked)
    expect(steps.map(({ value }) => value)).toEqual([...words, undefined, undefined, undefined])
    expect(steps.slice(-3).every(({ done }) => done)).toBe(true)
  })

  it(`events() of a model that talks ${name}`, async () => {
    const run = ChatClient.create(talking(pause)).prompt('Go').stream()
    const events = run.events()
    const settled: number[] = []
    const asked = Array.from({ length: 80 }, async (_, n) => {
      const step = await events.next()
      settled.push(n)
      return step
    })
    const steps = await Promise.all(asked)
    const replayed = []
    for await (const event of run) replayed.push(event)
    expect(steps.flatMap(({ value }) => value ?? [])).toEqual(replayed)
    expect(steps.slice(replayed.length).every(({ done }) => done)).toBe(true)
    expect(settled).toEqual(settled.toSorted((a, b) => a - b))
  })
}

it('nobody who asks later is answered before those who wait', async () => {
  let open = (): void => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const content = ChatClient.create(talking((n) => (n === 0 ? gate : undefined)))
    .prompt('Go')
    .stream()
    .content()
  const waiting = [content.next(), content.next()]
  await turn()
  open()
  // Asked between the arrival of the words and the moment when those who wait notice it.
  for (let n = 0; n < 12; n++) {
    await Promise.resolve()
    waiting.push(content.next())
  }
  const steps = await Promise.all(waiting)
  expect(steps.map(({ value }) => value)).toEqual(words.slice(0, 14))
})

it('an answer that comes only at the end is given once, to whoever asked first', async () => {
  const direct = tool({ name: 'direct', returnDirect: true, execute: () => 'Result.' })
  const client = ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'direct' }] }]), {
    tools: [direct],
  })
  const content = client.prompt('Go').stream().content()
  const steps = await Promise.all([content.next(), content.next(), content.next()])
  expect(steps).toEqual([
    { done: false, value: 'Result.' },
    { done: true, value: undefined },
    { done: true, value: undefined },
  ])
})

it('a failure is told to whoever asked first, all others end', async () => {
  const run = ChatClient.create(scriptedModel([{ error: new Error('down') }]))
    .prompt('Go')
    .stream()
  for (const reader of [run.content(), run.events()]) {
    const steps = await Promise.allSettled([reader.next(), reader.next(), reader.next()])
    expect(steps.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  }
})

it('whoever leaves ends those who wait', async () => {
  const run = ChatClient.create(scriptedModel([{ hang: true }]))
    .prompt('Go')
    .stream()
  const content = run.content()
  const waiting = [content.next(), content.next()]
  await turn()
  await content.return()
  expect(await Promise.all(waiting)).toEqual([
    { done: true, value: undefined },
    { done: true, value: undefined },
  ])
})
