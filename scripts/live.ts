/**
 * `npm run live`: asks the real providers whose keys are set, and local servers that are named, and says which
 * were skipped. Costs a few thousand tokens for each. Ends with 1 when a case failed.
 */
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../packages/cli/src/main.ts'
import { LIVE_CASES } from './live/live-cases.ts'
import { LIVE_PROVIDERS, type LiveModels, type LiveProvider } from './live/live-providers.ts'

const TOOLS = 'examples/command/date-time-tools.ts'
const QUICK_START = 'Can you set an alarm 10 minutes from now?'
let failed = 0
const skipped: string[] = []

/** Prints one line, and what went wrong under it. */
async function report(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
    console.log(`  ok    ${name}`)
  } catch (thrown) {
    failed += 1
    console.log(`  FAIL  ${name}\n        ${String(thrown).replaceAll('\n', '\n        ')}`)
  }
}

async function quickStart({ command }: LiveModels): Promise<void> {
  const { stdin, stdout, stderr, env } = process
  const io = { stdin, stdout, stderr, env, cwd: fileURLToPath(new URL('..', import.meta.url)) }
  const code = await runCommandLine(['chat', ...command, '--tools', TOOLS, QUICK_START], io)
  if (code !== 0) throw new Error(`the command ended with ${code}`)
}

async function ask(provider: LiveProvider): Promise<void> {
  const models = await provider.connect(process.env)
  if (models === undefined) return void skipped.push(`${provider.name}: needs ${provider.needs}`)
  console.log(`\n${provider.name} (${models.make().model})`)
  for (const live of LIVE_CASES)
    if (live.appliesTo?.(models) ?? true) await report(live.name, () => live.run(models))
  await report('the quick start of the command', () => quickStart(models))
}

for (const provider of LIVE_PROVIDERS) await ask(provider)
for (const line of skipped) console.log(`skipped  ${line}`)
const asked = LIVE_PROVIDERS.length - skipped.length
console.log(`\n${asked} of ${LIVE_PROVIDERS.length} providers asked, ${failed} cases failed`)
process.exit(failed === 0 ? 0 : 1)
