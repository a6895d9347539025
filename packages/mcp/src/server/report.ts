/**
 * What a tool reports while it runs. A value such as `{ level: 'info', data: 'Half of it is copied' }` is a message for
 * the client's log; everything else is progress. Both are sent to clients that want them, and only while they wait.
 */
import { redact } from 'toolwright'
import type { Peer } from './peer.ts'
import { progressCounter } from './progress.ts'

const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

/** A message for the client's log, by the severities of syslog. */
interface LogMessage {
  readonly level: (typeof LEVELS)[number]
  readonly data: unknown
  /** Which part of the program says it. */
  readonly logger?: string
}

export function reporterOf(peer: Peer, isDetached: () => boolean): (reported: unknown) => void {
  const { mcpReq } = peer.context
  const progress = progressOf(peer)
  return (reported) => {
    if (isDetached()) return
    const told = isLogMessage(reported)
      ? mcpReq.log(reported.level, clean(reported.data), reported.logger)
      : progress(reported)
    // A client that has left hears nothing any more.
    told?.catch(() => {})
  }
}

function progressOf({ context }: Peer): (reported: unknown) => Promise<void> | undefined {
  const { mcpReq } = context
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => undefined
  const next = progressCounter()
  return (reported) => {
    const progress = next(reported)
    if (!progress) return undefined
    const params = { progressToken, ...progress }
    return mcpReq.notify({ method: 'notifications/progress', params })
  }
}

function isLogMessage(reported: unknown): reported is LogMessage {
  const { level, data, logger } = Object(reported) as { readonly [key: string]: unknown }
  const isNamed = logger === undefined || typeof logger === 'string'
  return data !== undefined && isNamed && (LEVELS as readonly unknown[]).includes(level)
}

/** What looks like a secret is taken out; data that has one, or is no JSON, becomes text. */
function clean(data: unknown): unknown {
  if (typeof data === 'string') return redact(data)
  const text = inJson(data)
  const cleaned = redact(text)
  return cleaned === text ? (JSON.parse(text) as unknown) : cleaned
}

function inJson(data: unknown): string {
  try {
    return JSON.stringify(data) ?? 'null'
  } catch {
    return JSON.stringify(String(data))
  }
}
