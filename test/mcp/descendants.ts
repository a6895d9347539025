/** Which processes this one has started, and those that they started; read from `/proc`. */
import { readdirSync, readFileSync } from 'node:fs'

export function descendantsOf(pid: number = process.pid): readonly number[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(entry)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const below = (one: number): readonly number[] =>
    (children.get(one) ?? []).flatMap((child) => [child, ...below(child)])
  return below(pid)
}

/** Undefined if it is gone, or only waits to be forgotten. */
function parentOf(entry: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : Number(parent)
  } catch {
    return undefined
  }
}

export function isAlive(pid: number): boolean {
  return parentOf(String(pid)) !== undefined
}
