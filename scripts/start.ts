/**
 * `npm start`: the quick start with the real command, on the demo model, which needs no key. Asks both
 * questions of the tutorial, with tools and without, and on a terminal goes on with a prompt.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = fileURLToPath(new URL('../packages/cli/bin/toolwright.js', import.meta.url))
const TOOLS = ['--tools', 'examples/command/date-time-tools.ts']
const DEMO = ['--model', 'demo']

function chat(...words: readonly string[]): void {
  const shown = ['chat', ...words].map((word) => (/[\s?]/.test(word) ? `"${word}"` : word))
  console.log(`\n$ npx toolwright ${shown.join(' ')}`)
  const args = [bin, 'chat', ...words]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

console.log('A rule-based demo model answers here, not a language model. It needs no key.')
chat(...DEMO, 'What day is tomorrow?')
chat(...DEMO, ...TOOLS, 'What day is tomorrow?')
chat(...DEMO, ...TOOLS, 'Can you set an alarm 10 minutes from now?')
if (process.stdin.isTTY && process.stdout.isTTY) chat(...DEMO, ...TOOLS)
else console.log('\nNext: README.md, docs/guide, and the same without --model demo, with a key.')
