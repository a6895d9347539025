import { describe, expect, it } from 'vitest'
import { EventLines } from './event-lines.ts'

describe('EventLines', () => {
  const stream = 'id: 1\ndata: {"a":\ndata: 1}\n\n: beat\n\ndata:x\r\n\r\n'

  it('gives the data of each event, however the stream is cut', () => {
    for (let size = 1; size <= stream.length; size += 1) {
      const lines = new EventLines()
      const events: string[] = []
      for (let at = 0; at < stream.length; at += size) {
        events.push(...lines.push(stream.slice(at, at + size)))
      }
      expect(events).toEqual(['{"a":\n1}', 'x'])
    }
  })
})
