/** A hash of everything that the built packages are made of: their sources but for tests, and what builds them. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { VERSION as BUNDLER } from 'rolldown'
import { PACKAGES } from '../doors/table.js'
import { REST } from './copy-rest.ts'

export function sourcesHash(root: string): string {
  const digest = createHash('sha256').update(BUNDLER)
  const places = PACKAGES.flatMap(({ folder }) =>
    ['src', 'page', ...REST].map((name) => `packages/${folder}/${name}`),
  )
  for (const place of ['scripts/build', 'scripts/doors', ...places]) {
    for (const file of filesOf(join(root, place))) {
      const content = readFileSync(file)
      digest.update(`${relative(root, file)} ${content.length}\n`).update(content)
    }
  }
  return digest.digest('hex').slice(0, 32)
}

/** The file itself, or what is in the folder. */
function filesOf(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [path] : []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
