/** `npm start` on a fresh clone: no key, both questions of the quick start, an alarm that is really set, a prompt. */
import { expect, it, onTestFinished } from 'vitest'
import { cleanEnvironment } from './command-process.ts'
import { until } from './project.ts'
import { NO_TERMINAL, spawnInTerminal } from './pseudo-terminal.ts'
import { expectQuickStart, START } from './quick-start.ts'

const CTRL_D = '\x04'
/** No line of the answers is wrapped. */
const WIDE = { cols: 400, rows: 24 }

it('answers without tools, with tools, sets the alarm, offers the playground, and goes on with a prompt', async ({
  skip,
}) => {
  skip(spawnInTerminal === undefined, NO_TERMINAL)
  const started = Date.now()
  const env = cleanEnvironment({ TERM: 'xterm-256color', NO_COLOR: '1', TZ: 'UTC' }) as {
    [name: string]: string
  }
  const terminal = spawnInTerminal!(process.execPath, START, { ...WIDE, env })
  onTestFinished(() => terminal.kill('SIGKILL'))
  let shown = ''
  let exitCode: number | undefined
  terminal.onData((text) => (shown += text))
  terminal.onExit((end) => (exitCode = end.exitCode))
  await until(() => shown.includes('Open the playground') || exitCode !== undefined)
  expectQuickStart(shown, started)
  terminal.write('n\r')
  await until(() => shown.includes('/help says more') || exitCode !== undefined)
  terminal.write(CTRL_D)
  await until(() => exitCode !== undefined)
  expect(exitCode).toBe(0)
})
