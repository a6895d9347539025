/** Opens an address in the browser of whoever is at the machine. */
import { spawn } from 'node:child_process'

const OPENERS: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
}

/** False: there is no program that does it. */
export function openPage(url: string): Promise<boolean> {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program!, [...words, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
