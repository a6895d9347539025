/**
 * When sessions are forgotten. Asked at each request, so that nothing runs in the background: `touch` tells
 * which session is used, `evict` which ones can go.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { describeValue } from '../schema/describe-value.ts'

export interface EvictionStrategy {
  /** The session is used now, in ms since 1970. */
  touch(session: string, now: number): void
  /** Sessions to forget, the one just touched perhaps among them. Each is named once. */
  evict(now: number): readonly string[]
  /** The session was forgotten by somebody else. */
  forget?(session: string): void
}

/** Keeps the `maxSessions` used last. */
export function lru(maxSessions: number): EvictionStrategy {
  checkPositive('lru()', maxSessions)
  const sessions = new Set<string>()
  return {
    touch(session) {
      sessions.delete(session)
      sessions.add(session)
    },
    evict() {
      const gone: string[] = []
      for (const session of sessions) {
        if (sessions.size <= maxSessions) break
        sessions.delete(session)
        gone.push(session)
      }
      return gone
    },
    forget: (session) => void sessions.delete(session),
  }
}

/** Forgets sessions that were not used for `ms`. */
export function ttl(ms: number): EvictionStrategy {
  checkPositive('ttl()', ms)
  const used = new Map<string, number>()
  return {
    touch(session, now) {
      used.delete(session)
      used.set(session, now)
    },
    evict(now) {
      const expired: string[] = []
      // The least recently used come first.
      for (const [session, at] of used) {
        if (now - at < ms) break
        expired.push(session)
        used.delete(session)
      }
      return expired
    },
    forget: (session) => void used.delete(session),
  }
}

/** Keeps every session until `evictSession`. */
export const never = (): EvictionStrategy => ({ touch() {}, evict: () => [] })

/** Forgets a session whenever it is used: every request indexes anew. */
export function always(): EvictionStrategy {
  const touched = new Set<string>()
  return {
    touch: (session) => void touched.add(session),
    evict() {
      const all = [...touched]
      touched.clear()
      return all
    },
  }
}

/** Forgets what any of the strategies would. */
export function anyOf(...strategies: readonly EvictionStrategy[]): EvictionStrategy {
  if (strategies.length === 0)
    throw new ConfigurationError('invalid-option', 'anyOf() takes at least one strategy.')
  const forget = (session: string): void => strategies.forEach((each) => each.forget?.(session))
  return {
    touch: (session, now) => strategies.forEach((each) => each.touch(session, now)),
    evict(now) {
      const gone = new Set(strategies.flatMap((each) => each.evict(now)))
      gone.forEach(forget)
      return [...gone]
    },
    forget,
  }
}

function checkPositive(where: string, value: number): void {
  if (typeof value === 'number' && value >= 1 && Number.isFinite(value)) return
  throw new ConfigurationError(
    'invalid-option',
    `${where} takes a number of at least 1, not ${describeValue(value)}.`,
  )
}
