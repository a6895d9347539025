/** Runs a call of a tool that may be repeated until it succeeds, by the tool's retry policy. Loaded on demand. */
import { withRetries, type Retrying } from '../ports/retry-policy.ts'
import { SuspendSignal } from '../tools/default-tool-context.ts'
import type { Batch, ReadyCall } from './call.ts'

export function retryCall<T>(
  batch: Batch,
  ready: ReadyCall,
  run: (batch: Batch, ready: ReadyCall, attempt: number) => Promise<T>,
): Promise<T> {
  const { clock, random } = batch.settings
  const { attempts, delayMs = 200 } = ready.tool.metadata.retry!
  const { signal } = batch.run
  const retrying: Retrying = {
    clock,
    random,
    signal,
    mayRetry: (thrown) => !(thrown instanceof SuspendSignal) && !signal?.aborted,
    onRetry: (attempt, thrown) => ready.watched?.retried(attempt, thrown),
  }
  return withRetries({ attempts, delayMs }, retrying, (attempt) => run(batch, ready, attempt))
}
