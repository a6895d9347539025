/** Loads a tools file, changes what it imports, and loads it again: prints what each load gave. */
import { writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { loadTools } from '../../packages/cli/src/load/load-tools.ts'

const [file = '', dependency = ''] = process.argv.slice(2)
const cwd = dirname(file)

async function load(): Promise<object> {
  const { tools, files, exportNames } = await loadTools(file, { cwd })
  const answers = await Promise.all(tools.map((tool) => tool.call('{}')))
  return { answers, files: files.map((each) => basename(each)), exports: [...exportNames] }
}

const first = await loadTools(file, { cwd })
const before = await load()
writeFileSync(join(cwd, dependency), `export const word = 'two'\n`)
const after = await load()
// What was loaded before goes on as it was.
console.log(JSON.stringify({ before, after, kept: await first.tools[0]!.call('{}') }))
process.exit()
