/**
 * Runs one case of one contender in a process of its own: some hang their host, some abort their process. Gives what the
 * case printed, or how the process came to its end instead.
 */
import { spawn } from 'node:child_process'
import type { Observed } from './observe-case.ts'

const GUARD_S = 10
/** Until the first heartbeat: what is imported. */
const START_S = 60
/** A host is alive that showed so within this time. */
const ALIVE_MS = 1000

interface Started {
  readonly node: string
  readonly args: readonly string[]
}

export function inOwnProcess({ node, args }: Started): Promise<Observed> {
  const child = spawn(node, ['--no-warnings', ...args], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  let lastBeat = 0
  let stopped: string | undefined
  const stop = (seconds: number) =>
    setTimeout(() => {
      const isAlive = lastBeat > 0 && performance.now() - lastBeat < ALIVE_MS
      stopped = `${isAlive ? 'never ends, host alive' : 'host hung'} (stopped after ${seconds} s)`
      child.kill('SIGKILL')
    }, seconds * 1000)
  let guard = stop(START_S)
  child.stderr.on('data', (data: Buffer) => (said.err += data.toString()))
  child.stdout.on('data', (data: Buffer) => {
    if (lastBeat === 0) {
      clearTimeout(guard)
      guard = stop(GUARD_S)
    }
    lastBeat = performance.now()
    said.out += data.toString()
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(guard)
      resolve(observedIn(said, stopped ?? `process ended with ${signal ?? code}`))
    })
  })
}

function observedIn({ out, err }: { out: string; err: string }, ending: string): Observed {
  const line = out.split('\n').find((each) => each.startsWith('{'))
  if (line !== undefined) return JSON.parse(line) as Observed
  const why = err.split('\n').find((each) => each.trim() !== '')
  return {
    failed: why === undefined ? ending : `${ending}: ${why.split(', at: ')[0]!.slice(0, 60)}`,
  }
}
