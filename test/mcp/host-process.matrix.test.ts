/** What becomes of a server when the program that started it is ended. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('a server ends with the process that started it, also by a signal', async () => {
  const program = fileURLToPath(new URL('host-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const pid = Number(said.toString().split(' ')[0])
  expect(isAlive(pid)).toBe(true)
  child.kill('SIGTERM')
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect(signal).toBe('SIGTERM')
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)])
      .toString()
      .startsWith('Z')
  } catch {
    return false
  }
}
