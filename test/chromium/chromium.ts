/** Debian's Chromium, for tests that look at pages. It opens no connection of its own. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

const found = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isProgram)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** For `skip()` of vitest. */
export const NO_CHROMIUM = [
  found === undefined,
  'there is no chromium in PATH (Debian: apt-get install chromium)',
] as const

export async function startChromium(): Promise<Browser> {
  if (found === undefined) throw new Error(NO_CHROMIUM[1])
  return chromium.launch({
    executablePath: found,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
