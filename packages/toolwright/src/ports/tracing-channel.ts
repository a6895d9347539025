/**
 * Node's `diagnostics_channel`, by which agents listen to a process that was not written for them. Other runtimes
 * may have none.
 */
interface Channel {
  publish(message: object): void
  /** Publishes, and runs `run` in the surroundings that listeners have bound. */
  runStores<T>(message: object, run: () => T): T
}

/** The five channels of one operation, as Node names them: `tracing:<name>:start` and so on. */
export interface TracingChannel {
  readonly hasSubscribers: boolean
  readonly start: Channel
  readonly end: Channel
  readonly asyncStart: Channel
  readonly asyncEnd: Channel
  readonly error: Channel
}

interface DiagnosticsChannel {
  readonly tracingChannel?: (name: string) => TracingChannel
}

export function tracingChannel(name: string): TracingChannel | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (id: string) => DiagnosticsChannel | undefined }
  }
  return process?.getBuiltinModule?.('node:diagnostics_channel')?.tracingChannel?.(name)
}
