/** `npm start` on a fresh clone: no key, both questions of the quick start, an alarm that is really set, then a prompt or the playground. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cleanEnvironment } from './command-process.ts'
import { until } from './project.ts'
import { NO_TERMINAL, spawnInTerminal } from './pseudo-terminal.ts'
import { expectQuickStart, START } from './quick-start.ts'

const CTRL_C = '\x03'
const CTRL_D = '\x04'
/** No line of the answers is wrapped. */
const WIDE = { cols: 400, rows: 24 }
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/

/** In a home of its own, with a browser that writes down what it was given. */
function started(...words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'quick-start-'))
  for (const opener of ['open', 'xdg-open'])
    writeFileSync(join(folder, opener), '#!/bin/sh\necho "$1" > "${0%/*}/opened"\n', {
      mode: 0o755,
    })
  const env = cleanEnvironment({
    ...{ TERM: 'xterm-256color', NO_COLOR: '1', TZ: 'UTC' },
    ...{ PATH: folder, TOOLWRIGHT_HOME: join(folder, 'home') },
  }) as { [name: string]: string }
  const terminal = spawnInTerminal!(process.execPath, [...START, ...words], { ...WIDE, env })
  const seen = { shown: '', exitCode: undefined as number | undefined }
  terminal.onData((text) => (seen.shown += text))
  terminal.onExit(({ exitCode }) => (seen.exitCode = exitCode))
  onTestFinished(() => {
    terminal.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const sees = (what: RegExp): Promise<void> =>
    until(() => what.test(seen.shown) || seen.exitCode !== undefined)
  return {
    seen,
    sees,
    write: (text: string) => terminal.write(text),
    ended: () => until(() => seen.exitCode !== undefined),
    /** The address was printed and opened, its page is served, and Ctrl-C ends it well. */
    async expectPlayground(): Promise<void> {
      await sees(/Ctrl-C ends it/)
      const [url] = ADDRESS.exec(seen.shown)!
      const opened = () => readFileSync(join(folder, 'opened'), 'utf8')
      await until(() => {
        try {
          return opened().includes('\n')
        } catch {
          return false
        }
      })
      expect(opened().trim()).toBe(url)
      expect(await (await fetch(url)).text()).toContain('<title>toolwright playground</title>')
      terminal.write(CTRL_C)
      await until(() => seen.exitCode !== undefined)
      expect(seen.exitCode).toBe(0)
    },
  }
}

describe('npm start', () => {
  it('answers without tools, with tools, sets the alarm, offers the playground, and goes on with a prompt', async ({
    skip,
  }) => {
    skip(spawnInTerminal === undefined, NO_TERMINAL)
    const from = Date.now()
    const { seen, sees, write, ended } = started()
    await sees(/Open the playground/)
    expectQuickStart(seen.shown, from)
    write('n\r')
    await sees(/\/help says more/)
    write(CTRL_D)
    await ended()
    expect(seen.exitCode).toBe(0)
  })

  it('opens the playground for whoever says y', async ({ skip }) => {
    skip(spawnInTerminal === undefined, NO_TERMINAL)
    const { sees, write, expectPlayground } = started()
    await sees(/Open the playground/)
    write('y\r')
    await expectPlayground()
  })

  it('-- --playground opens it at once', async ({ skip }) => {
    skip(spawnInTerminal === undefined, NO_TERMINAL)
    const { seen, expectPlayground } = started('--playground')
    await expectPlayground()
    expect(seen.shown).not.toContain('demo model answers')
  })
})
