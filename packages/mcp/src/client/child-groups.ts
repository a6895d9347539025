/**
 * The process groups of started servers. A server may start programs of its own; they go with it: when it is closed,
 * and when this process ends.
 */
import process from 'node:process'

const groups = new Set<number>()
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
let isWatching = false

export function addGroup(pid: number): void {
  groups.add(pid)
  watchExit()
}

/** Ends every process of the group at once. */
export function killGroup(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    // Windows has no groups; there the child alone is ended.
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // They have ended already.
  }
  if (signal === 'SIGKILL') groups.delete(pid)
}

/** Whether any process of the group is left. */
export function isGroupAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0)
    return true
  } catch {
    return false
  }
}

function killAll(): void {
  for (const pid of groups) killGroup(pid)
}

function watchExit(): void {
  if (isWatching) return
  isWatching = true
  process.on('exit', killAll)
  for (const signal of SIGNALS) process.on(signal, onSignal)
}

/** A signal ends this process without an exit event. If nothing else listens, it ends as it would have without us. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  killAll()
  process.removeListener(signal, onSignal)
  process.kill(process.pid, signal)
}
