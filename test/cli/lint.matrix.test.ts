/** `toolwright tools <file> --lint`: the findings with their places, and the exit code. */
import { afterEach, describe, expect, it } from 'vitest'
import { Project } from './project.ts'

let project: Project
afterEach(() => project.dispose())

const GOOD = `
import { tool } from 'toolwright'
export const setAlarm = tool({
  name: 'setAlarm',
  description: 'Set a user alarm for the given time',
  input: {
    type: 'object',
    properties: { time: { type: 'string', description: 'When to ring' } },
  },
  execute: () => 'done',
})
`

const BAD = `
import { tool } from 'toolwright'
export { getUser } from './users.ts'
export const tools = [
  tool({
    name: 'get.user',
    description: 'User',
    input: { type: 'object', properties: { id: { type: 'string' } } },
    execute: () => 1,
  }),
]
`
const USERS = `
import { tool } from 'toolwright'
const PREFIX = 'get'
export const getUser = tool({
  description: 'Get the name of a user',
  name: \`\${PREFIX}User\`,
  execute: () => 1,
})
`

describe('tools --lint', () => {
  it('has nothing to say about good tools', async () => {
    project = new Project({ 'tools.ts': GOOD })
    expect(await project.start(['tools', 'tools.ts', '--lint']).finished).toEqual({
      code: 0,
      stdout: 'No findings\n',
      stderr: '',
    })
  })

  it('says where each finding is and how to mend it', async () => {
    project = new Project({ 'tools.ts': BAD, 'users.ts': USERS })
    const { code, stdout, stderr } = await project.start(['tools', 'tools.ts', '--lint']).finished
    expect([code, stderr]).toEqual([1, ''])
    const lines = stdout.split('\n')
    expect(lines).toContain('tools.ts:6:5 get.user is described in one word: "User". (description)')
    expect(lines).toContain(
      'tools.ts:6:5 get.user: the parameter id has no description. (parameter)',
    )
    expect(lines).toContain('  fix: Rename it, for example to get_user.')
    expect(lines.at(-2)).toBe('4 findings')
  })

  it('gives a program the same', async () => {
    project = new Project({ 'tools.ts': BAD, 'users.ts': USERS })
    const words = ['tools', 'tools.ts', '--lint', '--json', '--budget', '20']
    const { code, stdout } = await project.start(words).finished
    const findings = JSON.parse(stdout) as { rule: string; file: string; line?: number }[]
    expect(code).toBe(1)
    const file = project.path('tools.ts')
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: 'name', tool: 'get.user', file, line: 6, column: 5 }),
    )
    const budget = findings.filter(({ rule }) => rule === 'budget')
    expect(budget).toHaveLength(3)
    expect(budget.map(({ line }) => line)).toContain(undefined)
    expect(budget).toContainEqual(
      expect.objectContaining({ tool: 'getUser', file: project.path('users.ts'), line: 4 }),
    )
  })

  it('points to the source of a generated tool, and not to the generated file', async () => {
    project = new Project({
      'alarms.ts': `
/**
 * Ring.
 * @tool
 */
export function setAlarm(time: string): string {
  return time
}
`,
    })
    await project.run('generate', 'alarms.ts')
    const { code, stdout } = await project.start(['tools', 'alarms.ts', '--lint']).finished
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('alarms.ts:6:1 setAlarm is described in one word: "Ring."'),
    ])
  })

  it.each([
    [['--budget', '100'], '--budget goes with --lint'],
    [['--lint', '--budget', 'much'], 'not "much"'],
    [['--lint', '--budget', '-5'], 'not "-5"'],
    [['--lint', '--budget', '0'], 'not "0"'],
  ])('refuses %j', async (options, said) => {
    project = new Project({ 'tools.ts': GOOD })
    const { code, stderr } = await project.run('tools', 'tools.ts', ...options)
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)])
  })
})
