/** The import rule bites: a small tree with planted violations, cruised with the project's own configuration. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const src = 'packages/toolwright/src'

/** File → what it imports. Every file of the tree exports something, so that imports resolve. */
const allowed: Record<string, readonly string[]> = {
  [`${src}/messages/message.ts`]: [],
  [`${src}/schema/issue.ts`]: ['../messages/message.ts'],
  [`${src}/errors/errors.ts`]: ['../schema/issue.ts', '../messages/message.ts'],
  [`${src}/internal/abort.ts`]: ['../errors/errors.ts'],
  [`${src}/ports/clock.ts`]: [],
  [`${src}/tools/tool.ts`]: ['../schema/issue.ts', '../internal/abort.ts'],
  [`${src}/model/chat-model.ts`]: ['../tools/tool.ts', '../messages/message.ts'],
  [`${src}/memory/chat-memory.ts`]: ['../messages/message.ts', '../errors/errors.ts'],
  [`${src}/tool-calling/manager.ts`]: ['../model/chat-model.ts', '../ports/clock.ts'],
  [`${src}/advisors/loop.ts`]: ['../tool-calling/manager.ts', '../memory/chat-memory.ts'],
  [`${src}/client/chat-client.ts`]: ['../advisors/loop.ts', '../messages/message.ts'],
  [`${src}/index.ts`]: ['./client/chat-client.ts', './tools/tool.ts'],
  [`${src}/providers/wire/post.ts`]: ['../../ports/clock.ts', 'node:http'],
  [`${src}/providers/openai/index.ts`]: [
    '../wire/post.ts',
    '../../model/chat-model.ts',
    '../openai-compatible/index.ts',
  ],
  [`${src}/providers/openai-compatible/index.ts`]: ['./to-wire.ts'],
  [`${src}/providers/openai-compatible/to-wire.ts`]: ['../wire/post.ts'],
  [`${src}/providers/anthropic/index.ts`]: ['../wire/post.ts'],
  [`${src}/agent/run-agent.ts`]: ['../client/chat-client.ts', '../tools/tool.ts', './index.ts'],
  [`${src}/agent/index.ts`]: ['../errors/errors.ts', '../model/chat-model.ts'],
  [`${src}/testing/index.ts`]: ['../client/chat-client.ts', 'node:fs'],
  [`${src}/client/front.test.ts`]: ['toolwright', '../providers/openai/index.ts'],
  'packages/cli/src/index.ts': ['toolwright', 'toolwright/openai'],
  'examples/hello.ts': ['toolwright', 'toolwright/testing'],
}

const violating: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['layer-messages', `${src}/messages/bad.ts`, '../schema/issue.ts'],
  ['layer-schema', `${src}/schema/bad.ts`, '../tools/tool.ts'],
  ['layer-tools', `${src}/tools/bad.ts`, '../model/chat-model.ts'],
  ['layer-model', `${src}/model/bad.ts`, '../tool-calling/manager.ts'],
  ['layer-tool-calling', `${src}/tool-calling/bad.ts`, '../advisors/loop.ts'],
  ['layer-advisors', `${src}/advisors/bad.ts`, '../client/chat-client.ts'],
  ['layer-memory', `${src}/memory/bad.ts`, '../model/chat-model.ts'],
  ['layer-model', `${src}/model/bad-memory.ts`, '../memory/chat-memory.ts'],
  ['layer-errors', `${src}/errors/bad.ts`, '../tools/tool.ts'],
  ['layer-internal', `${src}/internal/bad.ts`, '../tools/tool.ts'],
  ['layer-ports', `${src}/ports/bad.ts`, '../model/chat-model.ts'],
  ['layer-client', `${src}/client/bad.ts`, '../providers/openai/index.ts'],
  ['layer-advisors', `${src}/advisors/bad-testing.ts`, '../testing/index.ts'],
  ['providers', `${src}/providers/openai/bad.ts`, '../anthropic/index.ts'],
  ['providers', `${src}/providers/openai/bad-inside.ts`, '../openai-compatible/to-wire.ts'],
  ['providers', `${src}/providers/openai/bad-client.ts`, '../../client/chat-client.ts'],
  ['providers', `${src}/providers/openai/bad-advisor.ts`, '../../advisors/loop.ts'],
  ['providers', `${src}/providers/openai/bad-manager.ts`, '../../tool-calling/manager.ts'],
  ['providers', `${src}/providers/openai/bad-memory.ts`, '../../memory/chat-memory.ts'],
  ['providers', `${src}/providers/wire/bad.ts`, '../openai/index.ts'],
  ['subpaths', `${src}/agent/bad.ts`, '../advisors/loop.ts'],
  ['subpaths', `${src}/agent/bad-manager.ts`, '../tool-calling/manager.ts'],
  ['subpaths', `${src}/agent/bad-provider.ts`, '../providers/openai/index.ts'],
  ['nothing-imports-index', `${src}/agent/bad-index.ts`, '../index.ts'],
  ['layer-client', `${src}/client/bad-agent.ts`, '../agent/index.ts'],
  ['testing', `${src}/testing/bad.ts`, '../providers/openai/index.ts'],
  ['nothing-imports-index', `${src}/testing/bad-index.ts`, '../index.ts'],
  ['nothing-imports-index', `${src}/testing/bad-name.ts`, 'toolwright'],
  ['front-door-by-name', `${src}/client/bad.test.ts`, '../index.ts'],
  ['users-through-doors', 'packages/cli/src/bad.ts', '../../toolwright/src/tools/tool.ts'],
  ['users-through-doors', 'examples/bad.ts', '../packages/toolwright/src/client/chat-client.ts'],
  ['core-without-builtins', `${src}/tools/bad-builtin.ts`, 'node:fs'],
  ['library-without-packages', `${src}/schema/bad-package.ts`, 'zod'],
  ['resolvable', `${src}/tools/bad-path.ts`, './nowhere.ts'],
]

interface Violation {
  readonly rule: { readonly name: string; readonly severity: string }
  readonly from: string
}

let tree: string
let found: readonly Violation[]

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'import-rule-'))
  for (const file of ['tsconfig.json', 'package.json']) await cp(join(root, file), join(tree, file))
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
  for (const [file, imports] of Object.entries(allowed)) await plant(file, imports)
  for (const [, file, imported] of violating) await plant(file, [imported])
  await plant(`${src}/tools/cycle-a.ts`, ['./cycle-b.ts'])
  await plant(`${src}/tools/cycle-b.ts`, ['./cycle-a.ts'])
  await plant(`${src}/tools/type-cycle-a.ts`, ['./type-cycle-b.ts'], 'import type')
  await plant(`${src}/tools/type-cycle-b.ts`, ['./type-cycle-a.ts'], 'import type')
  found = await cruise()
}, 120_000)
afterAll(() => rm(tree, { recursive: true }))

describe('the import rule', { timeout: 120_000 }, () => {
  it.each(violating)('%s: %s may not import %s', (rule, file) => {
    expect(rulesBrokenBy(file)).toContain(rule)
  })

  it('lets every allowed import pass', () => {
    const offenders = found.filter((violation) => violation.from in allowed)
    expect(offenders).toEqual([])
  })

  it('refuses a cycle, and warns of one that only types make', () => {
    expect(rulesBrokenBy(`${src}/tools/cycle-a.ts`)).toContain('no-cycles')
    expect(rulesBrokenBy(`${src}/tools/type-cycle-a.ts`)).toEqual(['no-type-cycles'])
  })

  it('keeps adapters out of the root door', async () => {
    await plant(`${src}/index.ts`, ['./providers/openai/index.ts'])
    found = await cruise()
    expect(rulesBrokenBy(`${src}/index.ts`)).toContain('index-exports-core-only')
  })
})

function rulesBrokenBy(file: string): string[] {
  return found.filter((violation) => violation.from === file).map(({ rule }) => rule.name)
}

async function plant(file: string, imports: readonly string[], keyword = 'import'): Promise<void> {
  const path = join(tree, file)
  await mkdir(dirname(path), { recursive: true })
  const lines = imports.map((from, index) => `${keyword} * as i${index} from '${from}'`)
  const uses = imports.map((_, index) =>
    keyword === 'import' ? `i${index}` : `{} as typeof i${index}`,
  )
  await writeFile(path, `${lines.join('\n')}\nexport const own = [${uses.join(', ')}]\n`)
}

function cruise(): Promise<readonly Violation[]> {
  const command = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const config = join(root, '.dependency-cruiser.cjs')
  const args = [command, '--config', config, '--output-type', 'json', 'packages', 'examples']
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: tree, maxBuffer: 1e8 }, (_exit, stdout, stderr) => {
      if (!stdout.startsWith('{')) return reject(new Error(stderr || stdout))
      resolve((JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations)
    })
  })
}
