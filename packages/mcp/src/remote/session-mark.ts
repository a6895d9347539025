/**
 * A session's id as it may be shown: two sides of one session show the same. Not the id itself, because its holder can
 * speak in the session, and what is observed is kept where many read.
 */
import { createHash } from 'node:crypto'

const LENGTH = 16

export const sessionMark = (sessionId: string): string =>
  createHash('sha256').update(sessionId).digest('hex').slice(0, LENGTH)
