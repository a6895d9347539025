/** Each house rule that lint holds, shown to bite: snippets linted with the project's own configuration. */
import { fileURLToPath } from 'node:url'
import { ESLint } from 'eslint'
import { beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const eslint = new ESLint({ cwd: root })

// Typed lint needs files the compiler knows, so snippets stand in for existing ones.
const core = 'packages/toolwright/src/errors/redact.ts'
const port = 'packages/toolwright/src/ports/clock.ts'
const door = 'packages/toolwright/src/testing/index.ts'
const script = 'scripts/lint-rules.matrix.test.ts'

/** The rules a snippet breaks; a snippet that cannot be parsed fails the test. */
async function brokenRules(code: string, file: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: `${root}/${file}` })
  return result!.messages.map((message) => message.ruleId ?? `cannot parse: ${message.message}`)
}

// The first typed lint reads the whole project, which takes long on a busy machine.
beforeAll(() => brokenRules('export {}', core))

const bannedInCore: readonly (readonly [what: string, code: string, rule: string])[] = [
  ['Date.now', 'export const a = Date.now()', 'no-restricted-properties'],
  ['destructured now', 'export const { now } = Date', 'no-restricted-properties'],
  ['globalThis.Date.now', 'export const a = globalThis.Date.now()', 'no-restricted-syntax'],
  ['new Date()', 'export const a = new Date()', 'no-restricted-syntax'],
  ['Date()', 'export const a = Date()', 'no-restricted-syntax'],
  ['performance.now', 'export const a = performance.now()', 'no-restricted-properties'],
  ['Math.random', 'export const a = Math.random()', 'no-restricted-properties'],
  ['crypto.randomUUID', 'export const a = crypto.randomUUID()', 'no-restricted-properties'],
  [
    'crypto.getRandomValues',
    'export const a = crypto.getRandomValues(new Uint8Array(1))',
    'no-restricted-properties',
  ],
  [
    'globalThis.crypto.randomUUID',
    'export const a = globalThis.crypto.randomUUID()',
    'no-restricted-syntax',
  ],
  ['setTimeout', 'setTimeout(() => undefined, 1)', 'no-restricted-globals'],
  ['globalThis.setTimeout', 'globalThis.setTimeout(() => undefined, 1)', 'no-restricted-globals'],
  ['setInterval', 'setInterval(() => undefined, 1)', 'no-restricted-globals'],
  ['setImmediate', 'setImmediate(() => undefined)', 'no-restricted-globals'],
  ['fetch', "export const a = fetch('http://localhost')", 'no-restricted-globals'],
  ['process', 'export const a = process.env', 'no-restricted-globals'],
  ['globalThis.process', 'export const a = globalThis.process.env', 'no-restricted-globals'],
  ['Buffer', "export const a = Buffer.from('')", 'no-restricted-globals'],
  [
    'a node: import',
    "import { readFileSync } from 'node:fs'\nexport const a = readFileSync",
    '@typescript-eslint/no-restricted-imports',
  ],
  [
    'a builtin by its old name',
    "import { existsSync } from 'fs'\nexport const a = existsSync",
    '@typescript-eslint/no-restricted-imports',
  ],
  ['a node: import()', "export const a = import('node:fs')", 'no-restricted-syntax'],
]

/**
 * The rules that each of the snippets breaks as a part of one file. The compiler reads the whole project anew for each
 * text it is given, so all of them are one text.
 */
async function brokenByEach(file: string): Promise<readonly (readonly string[])[]> {
  const codes = bannedInCore.map(([, code], index) => separately(code, index))
  const [result] = await eslint.lintText(codes.join(''), { filePath: `${root}/${file}` })
  let lines = 0
  return codes.map((code) => {
    const first = lines + 1
    lines += code.split('\n').length - 1
    const within = result!.messages.filter(({ line }) => line >= first && line <= lines)
    return within.map(({ ruleId, message }) => ruleId ?? `cannot parse: ${message}`)
  })
}

/** With a name of its own for what it exports. */
const separately = (code: string, index: number): string =>
  `${code.replace('const a =', `const a${index} =`)}\n`

describe('core', () => {
  let broken: Record<'core' | 'port' | 'script', readonly (readonly string[])[]>
  beforeAll(async () => {
    broken = {
      core: await brokenByEach(core),
      port: await brokenByEach(port),
      script: await brokenByEach(script),
    }
  })

  it.each(bannedInCore.map(([what, , rule], index) => [what, rule, index] as const))(
    'may not use %s',
    (_what, rule, index) => expect(broken.core[index]).toEqual([rule]),
  )

  it.each(bannedInCore.map(([what], index) => [what, index] as const))(
    'leaves %s to ports, tests and scripts',
    (_what, index) => expect([broken.port[index], broken.script[index]]).toEqual([[], []]),
  )

  it('may read a given date and a node type', async () => {
    const code =
      "import type { Agent } from 'node:http'\nexport const a = (_: Agent) => new Date(0)"
    expect(await brokenRules(code, core)).toEqual([])
  })
})

describe('everywhere in the library', () => {
  it.each([
    ['export default', 'export default 1', 'no-restricted-exports'],
    ['any', 'export const a = (x: any) => String(x)', '@typescript-eslint/no-explicit-any'],
    [
      'four parameters',
      'export const f = (a: 1, b: 1, c: 1, d: 1) => a + b + c + d',
      '@typescript-eslint/max-params',
    ],
    [
      'a promise nobody waits for',
      'export function f(p: Promise<void>): void {\n  p.then(String)\n}',
      '@typescript-eslint/no-floating-promises',
    ],
    [
      'a value import of a type',
      "import { Clock } from './clock.ts'\nexport type C = Clock",
      '@typescript-eslint/consistent-type-imports',
    ],
  ])('refuses %s', async (_what, code, rule) => {
    expect(await brokenRules(code, port)).toEqual([rule])
  })

  it('refuses export * at a door, also at the doors of core', async () => {
    const code = "export * from './clock.ts'"
    expect(await brokenRules(code, door)).toEqual(['no-restricted-syntax'])
    const config = await eslint.calculateConfigForFile(`${root}/packages/toolwright/src/index.ts`)
    const selectors = (config.rules['no-restricted-syntax'] as unknown[]).slice(1)
    const names = selectors.map((entry) => (entry as { selector: string }).selector)
    expect(names).toContain('ExportAllDeclaration')
    expect(names).toContain('NewExpression[callee.name="Date"][arguments.length=0]')
  })
})
