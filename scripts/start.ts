/**
 * `npm start`: the quick start with the real command, on the demo model, which needs no key. Asks both
 * questions of the tutorial, with tools and without, and on a terminal goes on with a prompt.
 */
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../packages/cli/src/main.ts'

const TOOLS = ['--tools', 'examples/command/date-time-tools.ts']
const DEMO = ['--model', 'demo']
const { stdin, stdout, stderr, env } = process
const io = { stdin, stdout, stderr, env, cwd: fileURLToPath(new URL('..', import.meta.url)) }

async function chat(...words: readonly string[]): Promise<void> {
  const shown = ['chat', ...words].map((word) => (/[\s?]/.test(word) ? `"${word}"` : word))
  console.log(`\n$ npx toolwright ${shown.join(' ')}`)
  const code = await runCommandLine(['chat', ...words], io)
  if (code !== 0) process.exit(code)
}

console.log('A rule-based demo model answers here, not a language model. It needs no key.')
await chat(...DEMO, 'What day is tomorrow?')
await chat(...DEMO, ...TOOLS, 'What day is tomorrow?')
await chat(...DEMO, ...TOOLS, 'Can you set an alarm 10 minutes from now?')
if (stdin.isTTY && stdout.isTTY) await chat(...DEMO, ...TOOLS)
else console.log('\nNext: README.md, docs/guide, and the same without --model demo, with a key.')
process.exit()
