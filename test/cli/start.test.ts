/** `npm start` on a fresh clone: no key, both questions of the quick start, an alarm that is really set. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { cleanEnvironment } from './command-process.ts'
import { until } from './project.ts'
import { NO_TERMINAL, spawnInTerminal } from './pseudo-terminal.ts'

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const START = [path('node_modules/tsx/dist/cli.mjs'), path('scripts/start.ts')]
const TEN_MINUTES = 600_000
const ONE_DAY = 86_400_000

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const CTRL_D = '\x04'

it('answers without tools, with tools, and sets the alarm ten minutes from now', () => {
  const started = Date.now()
  const { stdout, status } = spawnSync(process.execPath, START, {
    encoding: 'utf8',
    env: cleanEnvironment({ TZ: 'UTC' }),
    input: '',
  })
  expect(stdout).toMatch(/^A rule-based demo model answers here, not a language model/)
  expect(stdout).toContain('I do not have access to any tools')
  const [, tomorrow] = /Tomorrow is \w+day, ([\d-]+)/.exec(stdout) ?? []
  // It may have become midnight since.
  expect([started, Date.now()].map((now) => dayOf(now + ONE_DAY))).toContain(tomorrow)
  const [, time] = /Alarm set for (\S+Z)/.exec(stdout) ?? []
  expect(Date.parse(time!)).toBeGreaterThanOrEqual(started + TEN_MINUTES)
  expect(Date.parse(time!)).toBeLessThanOrEqual(Date.now() + TEN_MINUTES)
  expect(status).toBe(0)
})

it('offers the playground on a terminal, and goes on with a prompt', async ({ skip }) => {
  skip(spawnInTerminal === undefined, NO_TERMINAL)
  const env = cleanEnvironment({ TERM: 'xterm-256color' }) as { [name: string]: string }
  const terminal = spawnInTerminal!(process.execPath, START, { cols: 80, rows: 24, env })
  onTestFinished(() => terminal.kill('SIGKILL'))
  let shown = ''
  let exitCode: number | undefined
  terminal.onData((text) => (shown += text))
  terminal.onExit((end) => (exitCode = end.exitCode))
  await until(() => shown.includes('Open the playground') || exitCode !== undefined)
  expect(shown).toContain('Alarm set for')
  terminal.write('n\r')
  await until(() => shown.includes('/help says more') || exitCode !== undefined)
  terminal.write(CTRL_D)
  await until(() => exitCode !== undefined)
  expect(exitCode).toBe(0)
})
