import { describe, expect, it } from 'vitest'
import type { ShownMessage } from '../../../src/protocol/conversation.ts'
import { messageGroups } from './message-groups.ts'

const MESSAGES = Array.from({ length: 100 }, (_, index): ShownMessage => ({
  index,
  role: 'user',
  parts: [],
}))

describe('groups of messages', () => {
  it('hold all messages in their order', () => {
    const groups = messageGroups(MESSAGES.slice(7), [])
    expect(groups.flat()).toEqual(MESSAGES.slice(7))
    expect(groups.map(({ length }) => length)).toEqual([13, 20, 20, 20, 20])
  })

  it('stay the same when messages come before or after them', () => {
    const before = messageGroups(MESSAGES.slice(40, 90), [])
    const after = messageGroups(MESSAGES.slice(25), before)
    expect(after.map((group) => before.includes(group))).toEqual([false, true, true, false])
  })
})
