/** The channels of `node:diagnostics_channel` on which runs are told, one for each kind: `toolwright.tool` … */
import { tracingChannel, type TracingChannel } from '../ports/tracing-channel.ts'
import type { ObservationKind } from './observer.ts'

const KINDS: readonly ObservationKind[] = ['client', 'advisor', 'round', 'model', 'tool']

/** Made when the first run asks; empty where the runtime has no such channels. */
let known: ReadonlyMap<ObservationKind, TracingChannel> | undefined

/** Whether anybody listens. Asked by every run, so it is one loop and nothing else. */
export function isListenedTo(): boolean {
  for (const channel of (known ??= opened()).values()) if (channel.hasSubscribers) return true
  return false
}

export const channelOf = (kind: ObservationKind): TracingChannel | undefined =>
  (known ??= opened()).get(kind)

function opened(): ReadonlyMap<ObservationKind, TracingChannel> {
  const channels = new Map<ObservationKind, TracingChannel>()
  for (const kind of KINDS) {
    const channel = tracingChannel(`toolwright.${kind}`)
    if (channel) channels.set(kind, channel)
  }
  return channels
}
