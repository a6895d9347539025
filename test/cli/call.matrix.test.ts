/** `toolwright call`, in real processes, and at a real pseudo-terminal where there is somebody to ask. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { runCommand, type CommandRun } from './command-process.ts'
import { Project, until } from './project.ts'
import {
  NO_TERMINAL,
  PseudoTerminal,
  spawnInTerminal,
  type TerminalRun,
} from './pseudo-terminal.ts'

const TOOLS = `
import { tool, toolRunOf } from 'toolwright'

console.log('loading')
const time = { type: 'string', format: 'date-time', description: 'Time in ISO-8601 format' } as const

export const setAlarm = tool({
  description: 'Set a user alarm for the given time',
  input: { type: 'object', properties: { time, repeat: { type: 'integer' } }, required: ['time'] },
  execute: ({ time, repeat }) => {
    console.log('printed by the tool')
    return 'Alarm set for ' + time + (repeat ? ', ' + repeat + ' times' : '')
  },
})
export const exit = tool({ execute: () => process.exit(0) })
export const never = tool({ execute: () => new Promise(() => {}) })
export const report = tool({ execute: () => ({ rows: [1, 2] }) })
export const fail = tool({
  execute: () => {
    throw new Error('the disk is full')
  },
})
export const erase = tool({
  input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  hints: { destructive: true },
  preview: ({ path }) => 'erase 3 files in ' + path,
  execute: ({ path }) => 'erased ' + path,
})
export const cleanUp = tool({
  composite: { tools: [{ report, erase }] },
  async execute(_input: unknown, context) {
    const run = toolRunOf(context)
    const made = await run.call({ index: 0, name: 'report', arguments: {} })
    const erased = await run.call({ index: 1, name: 'erase', arguments: { path: '/tmp' }, line: 3 })
    return 'pending' in erased ? run.suspend(null) : { made, erased }
  },
})
export const whoAmI = tool({
  context: { type: 'object', properties: { user: { type: 'string' }, level: { type: 'integer' } }, required: ['user'] },
  execute: (_input: unknown, { values }) => values,
})
export const pick = tool({
  execute: (_input: unknown, context) => 'picked ' + JSON.stringify(context.suspend('Which colour?')),
})
export const supplied = tool({ description: 'The application does this' })
export const chart = tool({
  execute: () => [
    { type: 'text', text: 'Two charts' },
    { type: 'image', mediaType: 'image/png', data: 'b25l' },
    { type: 'image', mediaType: 'image/png', data: 'dHdv' },
  ],
  resultConverter: (parts) => parts as never,
})
export const megabyte = tool({ execute: () => 'x'.repeat(99).concat('\\n').repeat(10_486) })
export const colours = tool({ execute: () => '\\x1b[31mred\\x1b[0m \\x1b]0;owned\\x07\\x1b[2J' })
export const slow = tool({
  async *execute() {
    yield 'halfway'
    yield { percent: 60 }
    await new Promise(() => setInterval(() => {}, 1000))
  },
})
`

let project: Project
beforeAll(() => {
  project = new Project({ 'tools.ts': TOOLS })
})
afterAll(() => project.dispose())

const call = (words: readonly string[], run: Partial<CommandRun> = {}) =>
  runCommand({ words: ['call', 'tools.ts', ...words], cwd: project.folder, input: '', ...run })

const TIME = '"time":"2026-01-01T06:00:00Z"'

describe('toolwright call', () => {
  it('prints just what the tool answered; what it prints itself goes to stderr', async () => {
    expect(await call(['setAlarm', `{${TIME}}`])).toEqual({
      stdout: 'Alarm set for 2026-01-01T06:00:00Z',
      stderr: 'loading\nprinted by the tool\n',
      exitCode: 0,
    })
  })

  it('reads the arguments from stdin, coerced as those of a model are', async () => {
    const { stdout } = await call(['setAlarm', '-'], { input: `{${TIME},"repeat":"3"}\n` })
    expect(stdout).toBe('Alarm set for 2026-01-01T06:00:00Z, 3 times')
  })

  it('needs no arguments where the tool takes none, and prints objects as JSON', async () => {
    expect((await call(['report'])).stdout).toBe('{"rows":[1,2]}')
  })

  it('says path, expectation and what was there for arguments that do not fit, exit code 1', async () => {
    const { stdout, stderr, exitCode } = await call(['setAlarm', '{"time":"soon"}'])
    expect(stderr).toContain(
      'setAlarm did not run: the arguments are invalid. Correct your arguments: $.time: expected date-time, received "soon". toolwright tools tools.ts says what it takes.',
    )
    expect(stdout).toBe('')
    expect(exitCode).toBe(1)
  })

  it('says what a tool threw, and where, exit code 1', async () => {
    const { stdout, stderr, exitCode } = await call(['fail'])
    expect(stderr).toMatch(/fail failed: the disk is full\n {2}at tools\.ts:\d+:\d+\n/)
    expect(stdout).toBe('')
    expect(exitCode).toBe(1)
  })

  it.each([
    [['setAlrm', '{}'], 'has no tool "setAlrm". Did you mean setAlarm? It has: '],
    [['setAlarm', '{time: 1}'], 'not JSON: line 1, column 2, near {time: 1}'],
    [['setAlarm', `{${TIME}`], 'not JSON: line 1, column 31'],
    [['report', '{}', '--context', 'nonsense'], '--context takes key=value or a JSON object'],
    [['whoAmI'], '$.user: expected string (required), received nothing'],
    [['report', '{}', '--out', 'no/such/folder.txt'], 'no/such/folder.txt cannot be written'],
  ])('%j is exit code 2', async (words, expected) => {
    const { stdout, stderr, exitCode } = await call(words)
    expect(stderr).toContain(expected)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  it('gives the tool its context', async () => {
    const { stdout } = await call([
      'whoAmI',
      '{}',
      '--context',
      'user=ada',
      '--context',
      '{"level":3}',
    ])
    expect(JSON.parse(stdout)).toEqual({ user: 'ada', level: 3 })
  })

  it.each([
    [['erase', '{"path":"/tmp"}'], 'erase needs approval'],
    [['cleanUp'], 'erase needs approval'],
    [['pick'], 'pick asks: Which colour?'],
    [['supplied'], 'supplied has no execute'],
  ])('%j cannot be asked about in a pipe: exit code 1', async (words, expected) => {
    const { stdout, stderr, exitCode } = await call(words)
    expect(stderr).toContain(expected)
    expect(stdout).toBe('')
    expect(exitCode).toBe(1)
  })

  it('approves what a tool calls, of whichever copy of the package the tools are', async () => {
    const { stdout, exitCode } = await call(['cleanUp', '--yes'])
    expect(JSON.parse(stdout)).toEqual({
      made: { ok: true, json: '{"rows":[1,2]}' },
      erased: { ok: true, json: '"erased /tmp"' },
    })
    expect(exitCode).toBe(0)
  })

  it('approves with --yes', async () => {
    expect(await call(['erase', '{"path":"/tmp"}', '--yes'])).toMatchObject({
      stdout: 'erased /tmp',
      exitCode: 0,
    })
  })

  it.each(['exit', 'never'])('says that %s ended the process, exit code 1', async (name) => {
    const { stdout, stderr, exitCode } = await call([name])
    expect(stderr).toContain('toolwright: A tool ended the process: by process.exit(), or by')
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
  })

  it('describes media, and writes them with --out', async () => {
    expect((await call(['chart'])).stdout).toBe(
      'Two charts\n[image: image/png, 3 bytes; --out <file> writes it]\n[image: image/png, 3 bytes; --out <file> writes it]',
    )
    expect(await call(['chart', '{}', '--out', 'chart.png'])).toMatchObject({ stdout: '' })
    expect(readFileSync(project.path('chart.png'), 'utf8')).toBe('one')
    expect(readFileSync(project.path('chart-2.png'), 'utf8')).toBe('two')
  })

  it('leaves a megabyte and escapes as they are in a pipe', async () => {
    expect((await call(['megabyte'])).stdout).toBe(`${'x'.repeat(99)}\n`.repeat(10_486))
    expect((await call(['colours'])).stdout).toBe('\x1b[31mred\x1b[0m \x1b]0;owned\x07\x1b[2J')
  })

  it('ends when nobody reads on', async () => {
    const running = project.start(['call', 'tools.ts', 'megabyte'])
    running.closeStdout()
    expect((await running.finished).code).toBe(0)
  })

  it('tells progress on stderr, and aborts on Ctrl-C with 130', async () => {
    const running = project.start(['call', 'tools.ts', 'slow'])
    await until(() => running.stderr.includes('{"percent":60}\n'))
    expect(running.stderr).toContain('halfway\n')
    expect(await running.end('SIGINT')).toMatchObject({ code: 130, stdout: '' })
  })
})

describe('toolwright call at a terminal', () => {
  beforeEach(({ skip }) => skip(spawnInTerminal === undefined, NO_TERMINAL))

  const terminal = (words: readonly string[], run: Partial<TerminalRun> = {}): PseudoTerminal => {
    const started = new PseudoTerminal({
      words: ['call', 'tools.ts', ...words],
      cwd: project.folder,
      ...run,
    })
    onTestFinished(() => started.dispose())
    return started
  }

  it('asks before a destructive tool, with its preview', async () => {
    const screen = terminal(['erase', '{"path":"/tmp"}'])
    await screen.shows('[y/N]')
    expect(screen.text).toContain('It would: erase 3 files in /tmp')
    screen.type('y\r')
    expect(await screen.ends()).toBe(0)
    expect(screen.lines.at(-1)).toBe('erased /tmp')
  })

  it('does not run what is not approved', async () => {
    const screen = terminal(['erase', '{"path":"/tmp"}'])
    await screen.shows('[y/N]')
    screen.type('\r')
    expect(await screen.ends()).toBe(1)
    expect(screen.text).toContain('erase was not approved and did not run')
  })

  it('lets a tool ask', async () => {
    const screen = terminal(['pick'])
    await screen.shows('Which colour?\n>')
    screen.type('blue\r')
    expect(await screen.ends()).toBe(0)
    expect(screen.lines.at(-1)).toBe('picked "blue"')
  })

  it('ends a question on Ctrl-C', async () => {
    const screen = terminal(['erase', '{"path":"/tmp"}'])
    await screen.shows('[y/N]')
    screen.type('\x03')
    expect(await screen.ends()).toBe(130)
  })

  it.each([
    [['erase', '{"path":"/tmp"}'], '[y/N]', 'erase was not approved and did not run.'],
    [['pick'], 'Which colour?\n>', 'pick got no answer and did not finish.'],
  ])('%j takes Ctrl-D for no answer, exit code 1', async (words, question, said) => {
    const screen = terminal(words)
    await screen.shows(question)
    screen.type('\x04')
    expect(await screen.ends()).toBe(1)
    expect(screen.lines.at(-1)).toBe(`toolwright: ${said}`)
  })

  it('cuts a megabyte, and says how to see it all', async () => {
    const screen = terminal(['megabyte'], { columns: 100, stays: true })
    await screen.shows('[ended 0]')
    expect(screen.lines.at(-2)).toContain('1,028,600 more characters; --full shows them')
    expect(screen.raw.length).toBeLessThan(30_000)
  })

  it('does not let a tool colour, clear or rename the terminal', async () => {
    const screen = terminal(['colours'])
    expect(await screen.ends()).toBe(0)
    expect(screen.lines.at(-1)).toBe('red ␛]0;owned␇')
    expect(screen.raw).not.toContain('\x1b[2J')
  })

  it('is readable on 20 columns', async () => {
    const screen = new PseudoTerminal({
      words: ['tools', 'tools.ts'],
      cwd: project.folder,
      columns: 20,
    })
    onTestFinished(() => screen.dispose())
    expect(await screen.ends()).toBe(0)
    expect(screen.text).toContain(
      'setAlarm\n  Set a user alarm\n  for the given time\n  - time: string\n',
    )
  })
})
