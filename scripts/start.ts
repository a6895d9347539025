/**
 * `npm start`: the quick start with the real command, on the demo model, which needs no key. Asks both questions of
 * the tutorial, with tools and without; on a terminal it then offers the playground, or goes on with a prompt.
 * `npm start -- --playground` opens the playground at once.
 */
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../packages/cli/src/main.ts'

const TOOLS = ['--tools', 'examples/command/date-time-tools.ts']
const DEMO = ['--model', 'demo']
const PLAYGROUND = ['playground', 'examples/playground/shop-tools.ts', ...TOOLS, '--open']
const { stdin, stdout, stderr, env } = process
const io = { stdin, stdout, stderr, env, cwd: fileURLToPath(new URL('..', import.meta.url)) }

async function run(...words: readonly string[]): Promise<void> {
  const shown = words.map((word) => (/[\s?]/.test(word) ? `"${word}"` : word))
  console.log(`\n$ npx toolwright ${shown.join(' ')}`)
  const code = await runCommandLine(words, io)
  if (code !== 0) process.exit(code)
}

async function quickStart(): Promise<void> {
  console.log('A rule-based demo model answers here, not a language model. It needs no key.')
  await run('chat', ...DEMO, 'What day is tomorrow?')
  await run('chat', ...DEMO, ...TOOLS, 'What day is tomorrow?')
  await run('chat', ...DEMO, ...TOOLS, 'Can you set an alarm 10 minutes from now?')
}

async function wantsPlayground(): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stdout })
  // Ctrl-D at the question is no answer, and the question stands open then.
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  const asked = lines.question('\nOpen the playground, a page to try tools out on? [y/N] ')
  const answer = await Promise.race([asked, ended])
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}

if (process.argv.includes('--playground')) await run(...PLAYGROUND)
else {
  await quickStart()
  if (!(stdin.isTTY && stdout.isTTY))
    console.log('\nNext: npm start -- --playground, README.md, docs/guide, and chat with a key.')
  else if (await wantsPlayground()) await run(...PLAYGROUND)
  else await run('chat', ...DEMO, ...TOOLS)
}
process.exit()
