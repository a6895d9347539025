/**
 * Strategies that decide when sessions are removed. They are called at each request, so nothing runs in the
 * background: `touch` marks a session as used, `evict` returns those to remove.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { describeValue } from '../schema/describe-value.ts'

export interface EvictionStrategy {
  /** Marks the session as used at `now`, in ms since 1970. */
  touch(session: string, now: number): void
  /** Returns the sessions to remove, each once. The session just touched may be among them. */
  evict(now: number): readonly string[]
  /** Tells the strategy that a session was removed by other means. */
  forget?(session: string): void
}

/** Keeps the `maxSessions` most recently used sessions. */
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

/** Removes sessions that were not used for `ms`. */
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
      // The map is ordered by last use, oldest first.
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

/** Keeps every session until `evictSession` removes it. */
export const never = (): EvictionStrategy => ({ touch() {}, evict: () => [] })

/** Removes a session after each use, so that every request indexes again. */
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

/** Removes the sessions that any of the strategies removes. */
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
