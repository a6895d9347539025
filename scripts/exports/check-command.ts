/**
 * Checks the command as a user would get it: started by plain node in folders of a user's, once with the
 * library installed there and once without; that it keeps a conversation; and that it serves tools to itself over MCP.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PACKAGES } from '../doors/table.js'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import type { InstalledPackage, Manifest } from './install-packed.ts'

const TOOLS = `import { tool } from 'toolwright'
export const add = tool({ name: 'add', description: 'Add', execute: () => 3 })
`
/** Not ours, but with the same name: whatever it makes can only come from there. */
const OTHER_LIBRARY = `export const tool = ({ name }) => ({
  definition: { name, description: 'Of the library installed here', inputSchema: { type: 'object' } },
  metadata: {},
  call: async () => '',
})
`

const KEEPING = ['chat', '--model', 'demo', '--conversation', 'one', 'Hello']
const DEMO_ANSWER = `This is the demo model: it follows rules and is not a language model.
I do not have access to any tools, and without one my rules know nothing about that.
`
const SHOWN = `user\n  Hello\n\nassistant\n${DEMO_ANSWER.replace(/^(?=.)/gm, '  ')}`

/** `consumer` holds the installed packages; `root` has everything they depend on. Gives the problems. */
export function checkCommand(
  { folder, manifest }: InstalledPackage,
  { consumer, root }: { readonly consumer: string; readonly root: string },
): readonly string[] {
  linkDependencies(manifest, consumer, root)
  const [path] = Object.values(manifest.bin ?? {})
  const bin = join(folder, path!)
  const alone = bare(consumer)
  const served = `'${process.execPath}' '${bin}' mcp tools.ts`
  const expectations = [
    { words: ['--version'], cwd: consumer, expected: `${manifest.version}\n` },
    { words: ['tools', 'tools.ts'], cwd: alone, expected: 'add\n  Add\n' },
    { words: ['call', '--yes', '--mcp', served, 'add'], cwd: alone, expected: '3' },
    {
      words: ['tools', 'tools.ts'],
      cwd: withLibrary(consumer),
      expected: 'add\n  Of the library installed here\n',
    },
    { words: KEEPING, cwd: consumer, expected: DEMO_ANSWER },
    { words: ['conversations', 'show', 'one'], cwd: consumer, expected: SHOWN },
  ]
  const env = { ...process.env, TOOLWRIGHT_HOME: join(consumer, 'home') }
  return expectations.flatMap(({ words, cwd, expected }) => {
    const { stdout, stderr } = spawnSync(process.execPath, [bin, ...words], {
      cwd,
      env,
      encoding: 'utf8',
      timeout: HANG_GUARD_MS,
    })
    if (stdout === expected) return []
    return `toolwright ${words.join(' ')} printed ${JSON.stringify(stdout)} instead of ${JSON.stringify(expected)} ${stderr}`
  })
}

/** Those of our own packages that it depends on have dependencies too. */
function linkDependencies({ dependencies = {} }: Manifest, consumer: string, root: string): void {
  for (const name of Object.keys(dependencies)) {
    link(name, consumer, root)
    const { name: ours } = PACKAGES.find((row) => row.name === name) ?? {}
    if (ours !== undefined) linkDependencies(manifestIn(ours), consumer, root)
  }
  function manifestIn(name: string): Manifest {
    const file = join(consumer, 'node_modules', name, 'package.json')
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest
  }
}

function link(name: string, consumer: string, root: string): void {
  const place = join(consumer, 'node_modules', name)
  mkdirSync(dirname(place), { recursive: true })
  if (!existsSync(place)) symlinkSync(join(root, 'node_modules', name), place)
}

/** Not inside the consumer, where the library would be found. */
function bare(consumer: string): string {
  const folder = `${consumer}-bare`
  mkdirSync(folder)
  writeFileSync(join(folder, 'tools.ts'), TOOLS)
  return folder
}

function withLibrary(consumer: string): string {
  const folder = join(consumer, 'with-library')
  const library = join(folder, 'node_modules/toolwright')
  mkdirSync(library, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tools.ts'), TOOLS)
  writeFileSync(join(library, 'package.json'), '{ "type": "module", "exports": "./index.js" }')
  writeFileSync(join(library, 'index.js'), OTHER_LIBRARY)
  return folder
}
