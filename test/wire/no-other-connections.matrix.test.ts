/** A client opens no connection that its user did not name: in a process of its own, where every one is counted. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { faultServer } from '@toolwright/fault-server'
import { expect, it } from 'vitest'
import { DIALECTS } from './dialects.ts'
import type { JailReport } from './jailed-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const script = fileURLToPath(new URL('jailed-process.ts', import.meta.url))

it.each(DIALECTS)('%s connects to its baseUrl and nowhere else', async (dialect) => {
  const turns = (step: number) =>
    step % 2 === 1
      ? { toolCalls: [{ name: 'ping', arguments: ['{}'] }] }
      : { text: ['All ', 'done'] }
  const server = await faultServer({ dialect, turns })
  try {
    const task = JSON.stringify({ dialect, baseUrl: server.baseUrl })
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', script, task],
      { cwd: root },
    )
    const { places, answers } = JSON.parse(stdout) as JailReport
    expect(answers).toEqual(['All done', 'All done'])
    expect(new Set(places)).toEqual(new Set([`127.0.0.1:${new URL(server.baseUrl).port}`]))
    expect(server.requests).toHaveLength(4)
  } finally {
    await server.close()
  }
})
