/** What a package holds besides its code. */
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'

export const REST = ['package.json', 'bin', 'README.md', 'LICENSE'] as const

export function copyRest(source: string, target: string): void {
  for (const name of REST) {
    if (existsSync(join(source, name)))
      cpSync(join(source, name), join(target, name), { recursive: true })
  }
}
