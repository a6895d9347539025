/** The tables of the guide name every member of what they describe, and nothing else. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DEFAULT_LIMITS } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { linesOfCode } from '../scripts/docs/lines-of-code.ts'
import { outputsOf } from '../scripts/docs/printed-outputs.ts'
import {
  columnsIn,
  eventFields,
  membersOf,
  publicOptions,
  tablesIn,
  unionOf,
  type Members,
} from '../scripts/docs/member-tables.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pageOf = (name: string): string => readFileSync(`${root}/docs/guide/${name}`, 'utf8')

function describesJust(page: string, declared: Members): void {
  const tables = tablesIn(page)

  it('has a table for everything of its kind, and for nothing else', () => {
    expect([...tables.keys()].sort()).toEqual([...declared.keys()].sort())
  })

  it.each([...declared.keys()].sort())('%s: the table has just its members', (name) => {
    expect([...(tables.get(name) ?? [])].sort()).toEqual([...declared.get(name)!].sort())
  })
}

describe('docs/guide/22-options.md', () => {
  const page = pageOf('22-options.md')
  const options = publicOptions(root)
  describesJust(page, options)

  it('is compared with the interfaces of all doors', () => {
    expect(options.size).toBeGreaterThan(30)
  })

  it('gives the default limits as they are', () => {
    const limits = Object.entries(DEFAULT_LIMITS).map(([name, limit]) => [
      name,
      typeof limit === 'number' ? limit.toLocaleString('en-US') : `\`'${limit}'\``,
    ])
    expect(columnsIn(page, '`Limits`')).toEqual(new Map(limits as [string, string][]))
  })
})

describe('docs/guide/09-events.md', () => {
  const page = pageOf('09-events.md')
  const events = eventFields(root)
  describesJust(page, new Map([...events, ...membersOf(root, ['EventOrigin', 'PendingCall'])]))

  it.each([...events.keys()])('%s: the example was printed by the program', (type) => {
    const section = page.split(/^### /m).find((text) => text.startsWith(`\`${type}\`\n`))
    const example = JSON.parse(/^```json\n([^]*?)^```/m.exec(section ?? '')![1]!) as object
    const [printed] = outputsOf(page, '')
    const lines = printed!.output.split('\n').filter((line) => line.startsWith('{'))
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(example)
    expect(example).toMatchObject({ type })
  })
})

describe('docs/guide/05-messages.md', () => {
  const page = pageOf('05-messages.md')
  const messages = [
    'SystemMessage',
    'UserMessage',
    'AssistantMessage',
    'ToolMessage',
    'ToolResponse',
  ]
  const parts = ['TextPart', 'MediaPart', 'ReasoningPart', 'ToolCall', 'ProviderPart']
  const rest = ['Annotations', 'Label', 'ChatResponse', 'Generation', 'Usage']
  describesJust(page, membersOf(root, [...messages, ...parts, ...rest]))

  it('lists every finish reason', () => {
    const reasons = [...columnsIn(page, 'Finish reasons').keys()]
    expect(reasons.sort()).toEqual([...unionOf(root, 'FinishReason')].sort())
  })
})

describe('docs/guide/23-from-ai-sdk.md', () => {
  const page = pageOf('23-from-ai-sdk.md')
  const tasks = ['one-tool', 'bad-results', 'approval', 'testing', 'streaming']
  const linesIn = (task: string, side: string): number =>
    linesOfCode(readFileSync(`${root}/examples/from-ai-sdk/${task}/${side}.ts`, 'utf8'))

  it('counts the lines of the programs as they are', () => {
    const rows = Array.from(page.matchAll(/^\| \[.*?\]\(#[\w-]+\) +\| +(\d+) \| +(\d+) \|$/gm))
    const counted = tasks.map((task) => [linesIn(task, 'toolwright'), linesIn(task, 'ai-sdk')])
    expect(rows.map(([, ours, theirs]) => [Number(ours), Number(theirs)])).toEqual(counted)
  })

  it('shows what the programs print', () => {
    const shown = outputsOf(page, '').map(({ program }) => program)
    const programs = tasks
      .slice(1)
      .flatMap((task) =>
        ['toolwright', 'ai-sdk'].map((side) => `examples/from-ai-sdk/${task}/${side}.ts`),
      )
    expect(shown).toEqual(programs)
  })
})

describe('docs/guide/27-observing.md', () => {
  const own = (page: string): readonly string[] =>
    [...new Set(page.match(/(?<=[`'])toolwright\.[a-z_.]+(?=[`'])/g))].sort()

  it('names every name of ours that leaves in spans and metrics, and no other', () => {
    const names = readFileSync(`${root}/packages/otel/src/names.ts`, 'utf8')
    const channels = ['toolwright.client']
    expect(own(pageOf('27-observing.md'))).toEqual([...own(names), ...channels].sort())
  })
})
