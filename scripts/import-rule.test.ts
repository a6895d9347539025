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
  [`${src}/errors/errors.ts`]: [],
  [`${src}/internal/abort.ts`]: ['../errors/errors.ts', '../messages/message.ts'],
  [`${src}/ports/clock.ts`]: ['../internal/abort.ts'],
  [`${src}/schema/schema.ts`]: ['../messages/message.ts', '../errors/errors.ts'],
  [`${src}/tools/tool.ts`]: ['../schema/schema.ts', '../internal/abort.ts'],
  [`${src}/model/chat-model.ts`]: ['../tools/tool.ts', '../messages/message.ts'],
  [`${src}/memory/chat-memory.ts`]: ['../messages/message.ts', '../errors/errors.ts'],
  [`${src}/observation/observer.ts`]: ['../messages/message.ts', '../ports/clock.ts'],
  [`${src}/run/run-settings.ts`]: ['../observation/observer.ts', '../ports/clock.ts'],
  [`${src}/tool-calling/manager.ts`]: ['../model/chat-model.ts', '../run/run-settings.ts'],
  [`${src}/loop/loop.ts`]: ['../tool-calling/manager.ts', '../observation/observer.ts'],
  [`${src}/advisors/retry.ts`]: ['../loop/loop.ts', '../memory/chat-memory.ts'],
  [`${src}/client/chat-client.ts`]: ['../advisors/retry.ts', '../run/run-settings.ts'],
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
  [`${src}/tool-search/index.ts`]: ['../client/chat-client.ts'],
  [`${src}/testing/index.ts`]: ['../client/chat-client.ts', 'node:fs'],
  [`${src}/client/front.test.ts`]: ['toolwright', '../providers/openai/index.ts'],
  'packages/cli/src/main.ts': ['toolwright', 'toolwright/openai'],
  'packages/cli/src/main.test.ts': ['@toolwright/fault-server'],
  'packages/fault-server/src/index.ts': ['node:http'],
  'examples/hello.ts': ['toolwright', 'toolwright/testing'],
}
/** The same, of types only. */
const allowedTypes: Record<string, readonly string[]> = {
  [`${src}/errors/types.ts`]: ['../messages/message.ts'],
  [`${src}/run/types.ts`]: ['../tool-calling/manager.ts'],
  [`${src}/memory/types.ts`]: ['../model/chat-model.ts'],
}

const violating: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['room-messages', `${src}/messages/bad.ts`, '../schema/schema.ts'],
  ['room-messages', `${src}/messages/bad-error.ts`, '../errors/errors.ts'],
  ['room-errors', `${src}/errors/bad.ts`, '../schema/schema.ts'],
  ['room-errors-types', `${src}/errors/bad-value.ts`, '../messages/message.ts'],
  ['room-internal', `${src}/internal/bad.ts`, '../schema/schema.ts'],
  ['room-internal', `${src}/internal/bad-port.ts`, '../ports/clock.ts'],
  ['room-ports', `${src}/ports/bad.ts`, '../model/chat-model.ts'],
  ['room-schema', `${src}/schema/bad.ts`, '../tools/tool.ts'],
  ['room-tools', `${src}/tools/bad.ts`, '../model/chat-model.ts'],
  ['room-model', `${src}/model/bad.ts`, '../tool-calling/manager.ts'],
  ['room-model', `${src}/model/bad-memory.ts`, '../memory/chat-memory.ts'],
  ['room-memory', `${src}/memory/bad.ts`, '../tools/tool.ts'],
  ['room-memory-types', `${src}/memory/bad-model.ts`, '../model/chat-model.ts'],
  ['room-observation', `${src}/observation/bad.ts`, '../run/run-settings.ts'],
  ['room-run', `${src}/run/bad.ts`, '../model/chat-model.ts'],
  ['room-run-types', `${src}/run/bad-value.ts`, '../tool-calling/manager.ts'],
  ['room-tool-calling', `${src}/tool-calling/bad.ts`, '../loop/loop.ts'],
  ['room-loop', `${src}/loop/bad.ts`, '../advisors/retry.ts'],
  ['room-advisors', `${src}/advisors/bad.ts`, '../client/chat-client.ts'],
  ['room-advisors', `${src}/advisors/bad-testing.ts`, '../testing/index.ts'],
  ['room-client', `${src}/client/bad.ts`, '../providers/openai/index.ts'],
  ['room-client', `${src}/client/bad-agent.ts`, '../agent/index.ts'],
  ['room-providers/openai', `${src}/providers/openai/bad.ts`, '../anthropic/index.ts'],
  ['room-providers/openai', `${src}/providers/openai/bad-0.ts`, '../openai-compatible/to-wire.ts'],
  ['room-providers/openai', `${src}/providers/openai/bad-a.ts`, '../../client/chat-client.ts'],
  ['room-providers/openai', `${src}/providers/openai/bad-b.ts`, '../../loop/loop.ts'],
  ['room-providers/openai', `${src}/providers/openai/bad-c.ts`, '../../advisors/retry.ts'],
  ['room-providers/openai', `${src}/providers/openai/bad-d.ts`, '../../tool-calling/manager.ts'],
  ['room-providers/openai', `${src}/providers/openai/bad-e.ts`, '../../memory/chat-memory.ts'],
  ['room-providers/wire', `${src}/providers/wire/bad.ts`, '../openai/index.ts'],
  ['room-agent', `${src}/agent/bad.ts`, '../loop/loop.ts'],
  ['room-agent', `${src}/agent/bad-manager.ts`, '../tool-calling/manager.ts'],
  ['room-agent', `${src}/agent/bad-provider.ts`, '../providers/openai/index.ts'],
  ['room-tool-search', `${src}/tool-search/bad.ts`, '../agent/index.ts'],
  ['room-testing', `${src}/testing/bad.ts`, '../providers/openai/index.ts'],
  ['room-testing', `${src}/testing/bad-loop.ts`, '../loop/loop.ts'],
  ['nothing-imports-index', `${src}/agent/bad-index.ts`, '../index.ts'],
  ['nothing-imports-index', `${src}/testing/bad-index.ts`, '../index.ts'],
  ['nothing-imports-index', `${src}/testing/bad-name.ts`, 'toolwright'],
  ['front-door-by-name', `${src}/client/bad.test.ts`, '../index.ts'],
  ['packages-through-doors', 'packages/cli/src/bad.ts', '../../toolwright/src/tools/tool.ts'],
  ['package-cli', 'packages/cli/src/bad-uses.ts', '@toolwright/fault-server'],
  ['package-fault-server', 'packages/fault-server/src/bad.ts', 'toolwright'],
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
  for (const [file, imports] of Object.entries(allowedTypes))
    await plant(file, imports, 'import type')
  for (const [, file, imported] of violating) await plant(file, [imported])
  await plant(`${src}/tools/cycle-a.ts`, ['./cycle-b.ts'])
  await plant(`${src}/tools/cycle-b.ts`, ['./cycle-a.ts'])
  await plant(`${src}/tools/type-cycle-a.ts`, ['./type-cycle-b.ts'], 'import type')
  await plant(`${src}/tools/type-cycle-b.ts`, ['./type-cycle-a.ts'], 'import type')
  found = await cruise()
})
afterAll(() => rm(tree, { recursive: true }))

describe('the import rule', () => {
  it.each(violating)('%s: %s may not import %s', (rule, file) => {
    expect(rulesBrokenBy(file)).toContain(rule)
  })

  it('lets every allowed import pass', () => {
    const offenders = found.filter(({ from }) => from in allowed || from in allowedTypes)
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
  const config = join(root, '.dependency-cruiser.js')
  const args = [command, '--config', config, '--output-type', 'json', 'packages', 'examples']
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: tree, maxBuffer: 1e8 }, (_exit, stdout, stderr) => {
      if (!stdout.startsWith('{')) return reject(new Error(stderr || stdout))
      resolve((JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations)
    })
  })
}
