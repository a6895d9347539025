/** What of a file counts as tools, and what is said when it cannot be loaded: the real command on real files. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Project } from './project.ts'

const ADD = `tool({ name: 'add', description: 'Add two numbers', execute: () => 3 })`
const GENERATED = '// Written by `toolwright generate` from x.ts. Change that file'

let project: Project
beforeAll(() => {
  project = new Project({
    'everything.ts': `
import { Tool, defineTools, tool } from 'toolwright'
export const add = ${ADD}
export const alias = add
export const nameless = tool({ execute: () => 1 })
export const fromScratch = {
  definition: { name: 'scratch', description: 'By hand', inputSchema: { type: 'object' } },
  metadata: { returnDirect: false, hints: {}, effect: 'once' },
  call: async () => 'hi',
}
export const list = [add, [tool({ name: 'inList', execute: () => 1 })]]
export const record = { inRecord: tool({ execute: () => 1 }) }
export const provider = { toolCallbacks: async () => [tool({ name: 'provided', execute: () => 1 })] }
export class Decorated {
  @Tool() byDecorator() { return 1 }
  @Tool() static byStaticDecorator() { return 1 }
}
export class OnlyStatic {
  constructor(readonly needed: string) {}
  @Tool() static onlyStatic() { return 1 }
}
export class Defined {
  static tools = defineTools<Defined>({ byDefinition: {} })
  byDefinition() { return 1 }
}
class Base { @Tool() inherited() { return 1 } }
export { Base }
export class Derived extends Base {}
export class WithInstance {
  constructor(readonly name: string) {}
  @Tool() ofInstance() { return this.name }
}
export const instance = new WithInstance('it')
export const VERSION = '1.0'
export const limits = { most: 3 }
export const nothing = null
export class Plain { constructor() { throw new Error('must not be made') } }
export function helper() { throw new Error('must not be called') }
export default { answer: 42 }
`,
    'legacy/tsconfig.json':
      '{ "compilerOptions": { "experimentalDecorators": true, "paths": { "@/*": ["./*"] } } }',
    'legacy/tools.ts': `
import { Tool } from 'toolwright'
import { word } from '@/words'
enum Size { Small = 'small' }
export class Legacy {
  @Tool({ description: word }) old() { return Size.Small }
}`,
    'legacy/words.ts': `export const word = 'From a path'`,
    'common/package.json': '{}',
    'common/tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }',
    'common/tools.ts': `
import { tool } from 'toolwright'
import { word } from '@/words'
export const common = tool({ name: 'common', description: word, execute: () => 1 })`,
    'common/words.ts': `export const word = 'From CommonJS'`,
    'common/plain.js': `
exports.plain = { definition: { name: 'plain', description: 'Plain', inputSchema: { type: 'object' } }, call: async () => '' }`,
    'common/awaits.ts': `export const one = await Promise.resolve(1)`,
    'x.ts': `
export class AlarmTools {
  /** Set an alarm.
   * @tool */
  setAlarm() { return 'set' }
}
export class Clock {
  readonly zone: string
  constructor(zone: string) { this.zone = zone }
  /** @tool */
  now() { return this.zone }
}
export const clock = new Clock('UTC')
/** @tool */
export function ring() {}`,
    'x.tools.ts': `${GENERATED}
import { tool } from 'toolwright'
import { type AlarmTools, type Clock, ring } from './x.ts'
export const alarmTools = (it: AlarmTools) => [tool({ name: 'setAlarm', execute: () => it.setAlarm() })]
export const clockTools = (it: Clock) => [tool({ name: 'now', description: 'In ' + it.zone, execute: () => it.now() })]
export const ringTool = tool({ name: 'ring', execute: () => ring() })`,
    'tagged.ts': `/**\n * Ring.\n * @tool\n */\nexport function ring() {}`,
    'nothing.ts': `export const VERSION = '1'\nexport function helper() {}`,
    'empty.ts': ``,
    'twice.ts': `
import { tool } from 'toolwright'
export const one = ${ADD}
export const other = ${ADD}`,
    'needs.ts': `
import { Tool } from 'toolwright'
export class Mailer {
  constructor(readonly server: string) {}
  @Tool() send() {}
}`,
    'broken.ts': `export const a = 1\nexport const b: = 2\n`,
    'broken-inside.ts': `import './broken.ts'`,
    'plain-broken.js': `export const a = 1\nexport const b = ;`,
    'throws.ts': `interface Config { url: string }\n\nfunction connect(): Config {\n  throw new Error('no database at 5432')\n}\nexport const config = connect()`,
    'throws-in-constructor.ts': `
import { Tool } from 'toolwright'
export class Mailer {
  constructor() { throw new Error('no server') }
  @Tool() send() {}
}`,
    'lacks-file.ts': `import { a } from './nowhere.ts'\nexport const b = a`,
    'lacks-package.ts': `import { a } from '@acme/nowhere/deep'\nexport const b = a`,
    'lacks-export.ts': `import { nope } from './nothing.ts'\nexport const b = nope`,
    'mixed.ts': `
import { tool } from 'toolwright'
export const tools = [${ADD}, 'subtract']`,
    'failing-provider.ts': `export const remote = { toolCallbacks: async () => { throw new Error('offline') } }`,
    'hangs.ts': `
import { tool } from 'toolwright'
setInterval(() => {}, 1000)
export const add = ${ADD}`,
    'exits.ts': `process.exit(0)`,
    'never.ts': `export const never = await new Promise(() => {})`,
    'notes.md': '# Tools',
    'src/alarm-tools.ts': '',
  })
})
afterAll(() => project.dispose())

const tools = (...words: string[]) => project.start(['tools', ...words]).finished

async function namesIn(file: string): Promise<string[]> {
  const { code, stdout, stderr } = await tools(file, '--json')
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name).sort()
}

describe('a tools file', () => {
  it('gives every exported source, once, and nothing else', async () => {
    expect(await namesIn('everything.ts')).toEqual([
      ...['add', 'byDecorator', 'byDefinition', 'byStaticDecorator', 'inList', 'inRecord'],
      ...['inherited', 'nameless', 'ofInstance', 'onlyStatic', 'provided', 'scratch'],
    ])
  })

  it('is compiled by its own tsconfig: paths, and decorators of the other kind', async () => {
    const { stdout } = await tools('legacy/tools.ts')
    expect(stdout).toBe('old\n  From a path\n')
  })

  it('may belong to a CommonJS project', async () => {
    const { stdout, stderr } = await tools('common/tools.ts')
    expect(stderr).toBe('')
    expect(stdout).toBe('common\n  From CommonJS\n')
    expect(await namesIn('common/plain.js')).toEqual(['plain'])
  })

  it.each(['x.ts', 'x.tools.ts'])(
    'brings its generated tools, of instances that are exported: %s',
    async (file) => {
      const { stdout } = await tools(file)
      expect(stdout).toMatch(/^setAlarm\n/m)
      expect(stdout).toMatch(/^now\n {2}In UTC\n/m)
      expect(stdout).toMatch(/^ring\n/m)
    },
  )

  it('may leave timers and connections open', async () => {
    expect(await namesIn('hangs.ts')).toEqual(['add'])
  })
})

describe('loading again', () => {
  const FILE = (dependency: string): string => `
import { tool } from 'toolwright'
import { word } from '${dependency}'
export const say = tool({ name: 'say', execute: () => word })`

  it.each(['module', 'commonjs'])('sees what changed in a dependency: %s', async (type) => {
    project.write({
      [`${type}/package.json`]: JSON.stringify({ type }),
      [`${type}/tools.ts`]: FILE('./words.ts'),
      [`${type}/words.ts`]: `export const word = 'one'`,
    })
    const told = await tsx('reload-process.ts', project.path(`${type}/tools.ts`), 'words.ts')
    const files = ['tools.ts', 'words.ts']
    const exports = [['say', 'say']]
    expect(JSON.parse(told)).toEqual({
      before: { answers: ['one'], files: expect.arrayContaining(files), exports },
      after: { answers: ['two'], files: expect.arrayContaining(files), exports },
      kept: 'one',
    })
  })
})

/** Runs a program of this folder from its source, as the command runs in a checkout. */
async function tsx(program: string, ...words: string[]): Promise<string> {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const args = [
    '--import',
    pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm')).href,
    path,
    ...words,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout
}

describe('a file that gives no tools', () => {
  const CASES: readonly (readonly [string, ...string[]])[] = [
    ['nothing.ts', 'exports no tools. It exports VERSION (string), helper (function).', 'tool()'],
    ['empty.ts', 'exports no tools. It exports nothing.'],
    ['tagged.ts', 'has @tool tags', 'no tagged.tools.ts beside it', 'Run toolwright generate'],
    ['twice.ts', 'two tools called "add", from the exports one and other. Rename one of them.'],
    ['needs.ts', 'Mailer has tools, but its constructor needs arguments. Export an instance'],
    ['throws-in-constructor.ts', 'new Mailer() failed: no server. Export an instance'],
    ['broken.ts', 'broken.ts does not compile', 'broken.ts:2:17 Unexpected "="'],
    ['broken-inside.ts', 'broken.ts:2:17 Unexpected "="'],
    ['plain-broken.js', "plain-broken.js does not compile: Unexpected token ';' in line 2."],
    ['throws.ts', 'throws.ts could not be loaded: no database at 5432', 'at throws.ts:4:9'],
    ['lacks-file.ts', 'lacks-file.ts imports "nowhere.ts", which is not there. Mend the import.'],
    ['lacks-package.ts', '"@acme/nowhere', 'Run npm install @acme/nowhere.'],
    ['lacks-export.ts', "does not provide an export named 'nope'"],
    ['common/awaits.ts', 'common/awaits.ts:1:20', '"type": "module"'],
    ['exits.ts', 'exits.ts ended the process while it was loaded'],
    ['never.ts', 'never.ts ended the process while it was loaded', 'an await that never settles'],
    ['mixed.ts', 'mixed.ts, export tools:', '.toolNames("subtract")'],
    ['failing-provider.ts', 'failing-provider.ts, export remote: offline'],
    ['src/alarm-tols.ts', 'no file src/alarm-tols.ts. Did you mean alarm-tools.ts?'],
    ['nowhere/x.ts', 'no file nowhere/x.ts: its folder does not exist either'],
    ['src', 'src is a folder. In it: src/alarm-tools.ts.'],
    ['notes.md', 'notes.md is no TypeScript or JavaScript file'],
  ]

  it.each(CASES)('%s: says what to do, exit code 2', async (file, ...expected) => {
    const { code, stdout, stderr } = await tools(file)
    for (const words of expected) expect(stderr).toContain(words)
    expect(stderr).not.toMatch(/namespace=|should not have happened|node_modules|node:internal/)
    expect(stderr.split('\n').length).toBeLessThan(6)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })
})
