import { describe, expect, it } from 'vitest'
import type { ShownMessage } from '../../../src/protocol/conversation.ts'
import {
  lastQuestion,
  withEarlier,
  withNewest,
  withoutLastTurn,
  type MessageWindow,
} from './message-window.ts'

/** Messages by their numbers: even ones are questions. */
function stretch(from: number, to: number): MessageWindow {
  const messages = Array.from({ length: to - from }, (_, at): ShownMessage => {
    const index = from + at
    const parts = [{ type: 'text' as const, text: `message ${index}` }]
    return { index, role: index % 2 === 0 ? 'user' : 'assistant', parts }
  })
  return { messages, from }
}
const numbers = ({ messages }: MessageWindow) => messages.map(({ index }) => index)

describe('the stretch of a conversation that the page has', () => {
  it('grows by the page before it', () => {
    const grown = withEarlier(stretch(4, 8), stretch(2, 4))
    expect(grown.from).toBe(2)
    expect(numbers(grown)).toEqual([2, 3, 4, 5, 6, 7])
  })

  it('takes the page before it once, and none that leaves a gap', () => {
    const grown = withEarlier(stretch(4, 8), stretch(2, 4))
    expect(withEarlier(grown, stretch(2, 4))).toEqual(grown)
    expect(withEarlier(stretch(6, 8), stretch(0, 4))).toEqual(stretch(6, 8))
  })

  it('keeps earlier messages when the newest come again, without doubling', () => {
    const after = withNewest(stretch(0, 8), stretch(6, 10))
    expect(after.from).toBe(0)
    expect(numbers(after)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('lets go of earlier messages if some between were missed', () => {
    expect(withNewest(stretch(0, 4), stretch(8, 10))).toEqual(stretch(8, 10))
  })

  it('ends before the last question when that is asked again', () => {
    expect(numbers(withoutLastTurn(stretch(0, 6)))).toEqual([0, 1, 2, 3])
    expect(lastQuestion(stretch(0, 6).messages)).toBe('message 4')
  })
})
