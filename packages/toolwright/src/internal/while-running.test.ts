import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '../messages/chat-event.ts'
import { whileRunning, type Emit } from './while-running.ts'

const said = (text: string): ChatEvent => ({ type: 'text-delta', text })

/** Everything it yields, then what it returns. */
async function collected<T>(events: AsyncGenerator<ChatEvent, T>): Promise<readonly unknown[]> {
  const seen: unknown[] = []
  for (;;) {
    const step = await events.next()
    seen.push(step.done ? step.value : (step.value as { text: string }).text)
    if (step.done) return seen
  }
}

describe('whileRunning', () => {
  it('yields what is emitted, in order, and returns the result', async () => {
    const events = whileRunning(async (emit) => {
      emit(said('a'))
      await undefined
      emit(said('b'))
      emit(said('c'))
      return 'end'
    })
    expect(await collected(events)).toEqual(['a', 'b', 'c', 'end'])
  })

  it('yields what was emitted before a failure, then fails', async () => {
    const events = whileRunning(async (emit) => {
      emit(said('a'))
      throw new Error('broken')
    })
    expect((await events.next()).value).toEqual(said('a'))
    await expect(events.next()).rejects.toThrow('broken')
  })

  it('does not start before somebody reads', async () => {
    let started = false
    const events = whileRunning(async () => void (started = true))
    await Promise.resolve()
    expect(started).toBe(false)
    await events.next()
    expect(started).toBe(true)
  })

  it('keeps the order of a sender that is far ahead', async () => {
    const events = whileRunning(async (emit) => {
      for (let n = 0; n < 10_000; n++) emit(said(String(n)))
    })
    let next = 0
    for await (const event of events) expect((event as { text: string }).text).toBe(String(next++))
    expect(next).toBe(10_000)
  })

  it('lets a sender go on when the reader has left', async () => {
    let finish: () => void = () => {}
    let send: Emit | undefined
    const events = whileRunning(async (emit) => {
      send = emit
      emit(said('a'))
      await new Promise<void>((resolve) => (finish = resolve))
    })
    await events.next()
    await events.return(undefined)
    send!(said('b'))
    finish()
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })

  it('a failure after the reader has left is nobody’s', async () => {
    let fail: (error: Error) => void = () => {}
    const unhandled: unknown[] = []
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', onUnhandled)
    const events = whileRunning(async (emit) => {
      emit(said('a'))
      await new Promise((_resolve, reject) => (fail = reject))
    })
    await events.next()
    await events.return(undefined as never)
    fail(new Error('late'))
    await new Promise((wake) => setImmediate(wake))
    process.off('unhandledRejection', onUnhandled)
    expect(unhandled).toEqual([])
  })
})
