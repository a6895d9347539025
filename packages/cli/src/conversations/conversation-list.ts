/** Which conversations there are, read from the tables of `@toolwright/sql` (version 1), which its guide draws. */
import { withLibsql } from './with-libsql.ts'

export interface ListedConversation {
  readonly conversation: string
  /** How many messages it has. */
  readonly messages: number
  /** When the last was added, in milliseconds since 1970. */
  readonly changedAt: number
}

export interface ConversationPage {
  readonly conversations: readonly ListedConversation[]
  /** How many there are in all. */
  readonly total: number
}

/**
 * One step into an index for each conversation, however many messages it has. The command's own have no tenant; what has
 * no messages is no conversation.
 */
const LIST = `
select c.conversation, m.seq, m.added_at, count(*) over () as total
from toolwright_conversations as c
join toolwright_messages as m on m.conversation_id = c.id
  and m.seq = (select max(seq) from toolwright_messages where conversation_id = c.id)
where c.tenant is null
order by m.added_at desc, c.id desc
limit ?`

interface Row {
  readonly conversation: string
  readonly seq: number
  readonly added_at: number
  readonly total: number
}

export const listConversations = (file: string, limit: number): Promise<ConversationPage> =>
  withLibsql(file, async (connection) => {
    const rows = connection.prepare(LIST).all(limit) as readonly Row[]
    return { conversations: rows.map(listed), total: rows[0]?.total ?? 0 }
  })

const listed = ({ conversation, seq, added_at }: Row): ListedConversation => ({
  conversation: fromStoredText(conversation),
  messages: seq + 1,
  changedAt: added_at,
})

/** NUL, half of a surrogate pair and the backslash are written as `\\u` and four digits. */
const fromStoredText = (stored: string): string =>
  stored.replace(/\\u([0-9a-f]{4})/g, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  )
