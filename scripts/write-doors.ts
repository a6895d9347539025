/**
 * `npm run doors`: writes what follows from the table of doors: `exports` of each package, `paths` of
 * tsconfig.json, docs/doors.md. scripts/doors/doors.test.ts checks that they agree.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { doorsPage } from './doors/doors-page.ts'
import { tsconfigPaths } from './doors/door-sources.ts'
import { manifestExports } from './doors/manifest-exports.ts'
import { PACKAGES } from './doors/table.js'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Config {
  exports?: object
  compilerOptions: { paths: object }
}

async function change(name: string, edit: (config: Config) => void): Promise<void> {
  const file = root + name
  const config = JSON.parse(readFileSync(file, 'utf8')) as Config
  edit(config)
  const style = { ...(await resolveConfig(file)), filepath: file }
  writeFileSync(file, await format(JSON.stringify(config, null, 2), style))
}

for (const row of PACKAGES) {
  if (row.doors.length === 0) continue
  await change(`packages/${row.folder}/package.json`, (manifest) => {
    manifest.exports = manifestExports(row)
  })
}
await change('tsconfig.json', ({ compilerOptions }) => {
  compilerOptions.paths = tsconfigPaths('./')
})
writeFileSync(`${root}docs/doors.md`, doorsPage())
