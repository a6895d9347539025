/** `npm start` where there is no terminal: the same answers, and it ends by itself. */
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { cleanEnvironment } from './command-process.ts'
import { expectQuickStart, START } from './quick-start.ts'

it('answers without tools, with tools, and sets the alarm ten minutes from now', () => {
  const started = Date.now()
  const { stdout, status } = spawnSync(process.execPath, START, {
    encoding: 'utf8',
    env: cleanEnvironment({ TZ: 'UTC' }),
    input: '',
  })
  expectQuickStart(stdout, started)
  expect(status).toBe(0)
})
