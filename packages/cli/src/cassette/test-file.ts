/** The text of a test that plays a cassette, for vitest. */
import { relative } from 'node:path'
import type { LoadedTools } from '../load/load-tools.ts'
import { REMEMBERED_MESSAGES, type PlayedTurn } from './record-turns.ts'

export interface TestFile {
  readonly name: string
  /** Beside the test. */
  readonly cassetteName: string
  readonly system: string | undefined
  readonly turns: readonly PlayedTurn[]
  /** Lines that import the user's tools, and what is given to the cassette. Absent: those of the cassette. */
  readonly tools?: ImportedTools | undefined
}

export interface ImportedTools {
  readonly imports: readonly string[]
  readonly sources: readonly string[]
}

export function testFile(test: TestFile): string {
  const tools = test.tools ? `tools: [${test.tools.sources.join(', ')}], ` : ''
  return [
    "import { ChatClient, chatMemoryAdvisor, messageWindowMemory } from 'toolwright'",
    "import { cassette } from 'toolwright/testing'",
    "import { expect, it } from 'vitest'",
    ...(test.tools?.imports ?? []),
    '',
    `it(${literal(test.name)}, async () => {`,
    `  const file = new URL(${literal(`./${test.cassetteName}`)}, import.meta.url)`,
    `  const tape = cassette(file, { ${tools}mode: 'replay' })`,
    `  const memory = messageWindowMemory({ maxMessages: ${REMEMBERED_MESSAGES} })`,
    '  const client = ChatClient.create(tape.model, {',
    '    tools: tape.tools,',
    ...(test.system === undefined ? [] : [`    system: ${literal(test.system)},`]),
    '    advisors: [chatMemoryAdvisor(memory, { storeToolExchange: true })],',
    '  })',
    ...test.turns.flatMap((turn, at) => ['', ...turnLines(turn, `turn${at + 1}`)]),
    '',
    '  await tape.finish()',
    '})',
    '',
  ].join('\n')
}

function turnLines({ user, decisions, answer }: PlayedTurn, turn: string): readonly string[] {
  const asked = typeof user.content === 'string' ? literal(user.content) : literal([user])
  const legs = decisions.map((_, at) => `${turn}${'abcdefghijklmnopqrstuvwxyz'[at] ?? `_${at}`}`)
  const prompt = `client.prompt(${asked}).conversation('test').call()`
  const resumed = (at: number): string =>
    `client.resume(${legs[at]}.state!, ${literal(decisions[at])}).conversation('test').call()`
  const last = legs.length === 0 ? prompt : resumed(legs.length - 1)
  return [
    ...legs.map(
      (leg, at) => `  const ${leg} = await ${at === 0 ? prompt : resumed(at - 1)}.result()`,
    ),
    `  const ${turn} = await ${last}.content()`,
    `  expect(${turn}).toBe(${literal(answer)})`,
  ]
}

/** JSON is TypeScript, but for two ends of lines that some editors stumble over. */
const literal = (value: unknown): string =>
  JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/** Undefined: what the files export cannot be given to a client as it is. */
export function importedTools(
  loaded: readonly LoadedTools[],
  folder: string,
): ImportedTools | undefined {
  if (loaded.length === 0 || loaded.some((each) => !isPlain(each))) return undefined
  const names = loaded.map(({ exportNames }) => [...new Set(exportNames.values())])
  const all = names.flat()
  if (new Set(all).size < all.length) return undefined
  return {
    imports: loaded.map(
      ({ file }, at) =>
        `import { ${names[at]!.join(', ')} } from ${literal(specifier(file, folder))}`,
    ),
    sources: loaded.flatMap(({ exports }, at) =>
      names[at]!.map((name) => (isClass(exports[name]) ? `new ${name}()` : name)),
    ),
  }
}

function isPlain({ exportNames, exports, isGenerated }: LoadedTools): boolean {
  if (isGenerated) return false
  return [...exportNames.values()].every(
    (name) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) && name !== 'default' && name in exports,
  )
}

const isClass = (value: unknown): boolean =>
  typeof value === 'function' && /^class\b/.test(String(value))

/** As compilers and bundlers agree on: a TypeScript file is imported by the name it is compiled to. */
function specifier(file: string, folder: string): string {
  const path = relative(folder, file)
    .replaceAll('\\', '/')
    .replace(/\.([cm]?)tsx?$/, '.$1js')
  return path.startsWith('.') ? path : `./${path}`
}
