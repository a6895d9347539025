/** How long a host has no turn while a program that it runs, with all limits as they are by default, attacks it. */
import { codeMode, type Sandbox } from '@toolwright/code-mode'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const LARGE = "const s = 'x'.repeat(5e5); "

/** As many calls as the client's limits allow, each with an input that takes long to read or to check. */
const ATTACKS: { readonly [what: string]: string } = {
  'dense arguments':
    'const o = { a: Array.from({ length: 7e4 }, () => []) }; await Promise.all(Array.from({ length: 35 }, () => tools.take(o)))',
  'wide objects':
    "const o = Object.fromEntries(Array.from({ length: 15e3 }, (_, i) => ['k' + i, i])); await Promise.all(Array.from({ length: 35 }, () => tools.take(o)))",
  'large texts': `${LARGE}await Promise.all(Array.from({ length: 30 }, () => tools.take({ s })))`,
  'a flood of large calls': `${LARGE}for (;;) tools.take({ s }).catch(() => {})`,
  'a builtin that asks nobody': '"a".repeat(4e6).indexOf("a".repeat(2e6) + "b")',
  'a giant string': 'let s = "x"; for (;;) s += s',
}
/** The least of them counts, because what else the machine does makes gaps too. */
const TRIES = 5

const take = tool({ name: 'take', input: { type: 'object' }, execute: () => undefined })

/** The longest of all attacks, in ms. */
export async function longestGapMs(sandbox: Sandbox): Promise<number> {
  const gaps: number[] = []
  for (const code of Object.values(ATTACKS)) {
    const tries: number[] = []
    for (let each = 0; each < TRIES; each++) tries.push(await gapOf(sandbox, code))
    gaps.push(Math.min(...tries))
  }
  return Math.max(...gaps)
}

async function gapOf(sandbox: Sandbox, code: string): Promise<number> {
  const model = scriptedModel([
    { toolCalls: [{ name: 'runProgram', arguments: { code } }] },
    'Done.',
  ])
  const client = ChatClient.create(model, { tools: [codeMode({ tools: [take], sandbox })] })
  let last = performance.now()
  let longest = 0
  const beat = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(beat, 5)
  await client.prompt('Go').call().result()
  beat()
  clearInterval(timer)
  return longest
}
