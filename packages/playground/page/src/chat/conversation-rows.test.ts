import { describe, expect, it } from 'vitest'
import type { ConversationList, ConversationRow } from '../../../src/protocol/conversation.ts'
import { afterNews, withPage } from './conversation-rows.ts'

const row = (id: string, changedAt: number): ConversationRow => ({
  id,
  title: id,
  changedAt,
  status: 'idle',
})
const ids = ({ conversations }: ConversationList) => conversations.map(({ id }) => id)

describe('the list of conversations', () => {
  const list: ConversationList = { conversations: [row('b', 20), row('a', 10)], cursor: 'next' }

  it('has what changed first, once', () => {
    const after = afterNews(list, { seq: 1, type: 'conversation', row: row('a', 30) })
    expect(ids(after)).toEqual(['a', 'b'])
    expect(after.cursor).toBe('next')
  })

  it('has a new one where it belongs, and none that was deleted', () => {
    const grown = afterNews(list, { seq: 1, type: 'conversation', row: row('c', 15) })
    expect(ids(grown)).toEqual(['b', 'c', 'a'])
    expect(ids(afterNews(grown, { seq: 2, type: 'conversation-deleted', id: 'c' }))).toEqual([
      'b',
      'a',
    ])
  })

  it('grows by pages without doubling what moved up between them', () => {
    const after = withPage(list, { conversations: [row('a', 10), row('z', 5)] })
    expect(ids(after)).toEqual(['b', 'a', 'z'])
    expect(after.cursor).toBeUndefined()
  })
})
