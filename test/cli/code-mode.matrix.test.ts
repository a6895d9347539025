/** `toolwright chat --code-mode`: programs, what they call and what waits in them, in a pipe, for programs and at a terminal. */
import { describe, expect, it } from 'vitest'
import { calling, chatDesk, saying } from './chat-desk.ts'
import { NO_TERMINAL, spawnInTerminal } from './pseudo-terminal.ts'

const TOOLS = `
export const spent = tool({
  name: 'spent',
  description: 'What somebody spent',
  input: object({ person: text }),
  execute: ({ person }) => ({ person, amount: person.length }),
})
export const pay = tool({
  name: 'pay',
  description: 'Pay somebody',
  input: object({ person: text, amount: { type: 'number' } }),
  approval: true,
  execute: ({ person, amount }) => 'paid ' + amount + ' to ' + person,
})
`
const program = (...lines: readonly string[]) => calling('runProgram', { code: lines.join('\n') })
const PAYING = program(
  "const all = await Promise.all(['Ada', 'Linus'].map((person) => tools.spent({ person })))",
  "console.warn('\\x1b[2J' + all.length)",
  'const paid = await Promise.allSettled(all.map((each) =>',
  '  tools.pay(each),',
  '))',
  'return paid.map(({ value, reason }) => value ?? reason.message)',
)

describe('a program', () => {
  it('is shown with its lines, and what it calls and writes under it', async () => {
    const desk = await chatDesk({ tools: TOOLS, turns: [PAYING, saying('Paid.')] })
    const { stdout, stderr, exitCode } = await desk.run(['--code-mode', '--yes', 'Pay all'])
    expect({ stdout, exitCode }).toEqual({ stdout: 'Paid.\n', exitCode: 0 })
    const lines = stderr.split('\n')
    expect(lines.slice(0, 14)).toEqual([
      '→ runProgram',
      "  1  const all = await Promise.all(['Ada', 'Linus'].map((person) => tools.spent({ person })))",
      "  2  console.warn('\\x1b[2J' + all.length)",
      '  3  const paid = await Promise.allSettled(all.map((each) =>',
      '  4    tools.pay(each),',
      '  5  ))',
      '  6  return paid.map(({ value, reason }) => value ?? reason.message)',
      '  → spent #0 {"person":"Ada"}',
      '  ← spent #0: {"person":"Ada","amount":3}',
      '  → spent #1 {"person":"Linus"}',
      '  ← spent #1: {"person":"Linus","amount":5}',
      '  console.warn: 2',
      '  → pay #2 {"person":"Ada","amount":3}',
      '  → pay #3 {"person":"Linus","amount":5}',
    ])
    expect(stderr.split('console.warn: 2')).toHaveLength(2)
    expect(lines.slice(14, 16).sort()).toEqual([
      '  ← pay #2: paid 3 to Ada',
      '  ← pay #3: paid 5 to Linus',
    ])
    const offered = JSON.parse(desk.lastRequest()) as { tools: { function: { name: string } }[] }
    expect(offered.tools.map((each) => each.function.name)).toEqual(['runProgram'])
  })

  it('is told to programs with the calls that wait, their lines and the call that made them', async () => {
    const desk = await chatDesk({ tools: TOOLS, turns: [PAYING, saying('Paid.')] })
    const decisions = { 'call_1/2': 'approve', 'call_1/3': { deny: 'too much' } }
    const asking = await desk.run(['--code-mode', '--json'], { input: '{"prompt":"Pay all"}\n' })
    const ids = eventsIn(asking.stdout)
    const [call] = ids.filter(({ type }) => type === 'tool-call') as unknown as [
      { toolCall: { id: string } },
    ]
    const given = JSON.parse(JSON.stringify(decisions).replaceAll('call_1', call.toolCall.id))
    const waits = ids.find(({ type }) => type === 'suspended')
    expect(waits).toMatchObject({
      pending: Object.keys(given).map((callId) => ({
        callId,
        parentCallId: call.toolCall.id,
        line: 4,
        toolName: 'pay',
        kind: 'approval',
      })),
    })
    const input = [{ prompt: 'Pay all' }, { decisions: given }].map((line) => JSON.stringify(line))
    const again = await chatDesk({ tools: TOOLS, turns: [PAYING, saying('Paid.')] })
    const { stdout, exitCode } = await again.run(['--code-mode', '--json'], {
      input: input.join('\n'),
    })
    expect(exitCode).toBe(0)
    const results = eventsIn(stdout).filter(({ type }) => type === 'tool-result')
    expect(results.at(-1)).toMatchObject({
      response: { content: expect.stringContaining('too much') as string },
    })
    expect(again.lastRequest()).toContain('paid 3 to Ada')
  })

  it('that fails says where, and the model reads it', async () => {
    const desk = await chatDesk({
      tools: TOOLS,
      turns: [program('const all = []', 'return all[0].amount'), saying('Sorry.')],
    })
    const { stderr } = await desk.run(['--code-mode', 'Add up'])
    expect(stderr).toMatch(/✗ runProgram: TypeError: .* \(line 2\)/)
  })

  it('needs tools', async () => {
    const desk = await chatDesk()
    const { stderr, exitCode } = await desk.runHere(['--code-mode', 'Hello'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      '--code-mode is for tools. Name some with --tools file or --mcp server.',
    )
  })
})

describe('the demo model', () => {
  it('writes programs that make the calls its rules choose', async () => {
    const desk = await chatDesk({ tools: TOOLS })
    const words = ['--code-mode', '--model', 'demo', 'What has "Ada" spent?']
    const { stdout, stderr } = await desk.run(words)
    expect(stdout).toBe(
      'This is the demo model: it follows rules and is not a language model.\nspent says: {"person":"Ada","amount":3}\n',
    )
    expect(stderr).toContain('  2    tools.spent({"person":"Ada"}),\n')
    expect(stderr).toContain('  ← spent #0: {"person":"Ada","amount":3}\n')
  })
})

describe('at a terminal', () => {
  it.skipIf(spawnInTerminal === undefined)(
    `calls of a program are decided in place, each with its line (${NO_TERMINAL} otherwise)`,
    async () => {
      const desk = await chatDesk({ tools: TOOLS, turns: [PAYING, saying('Done.')] })
      const terminal = desk.terminal(['--code-mode'], { columns: 100, rows: 50 })
      await terminal.prompts()
      terminal.type('Pay all\r')
      await terminal.shows('Run it? y/n/e >')
      expect(terminal.text).toMatch(
        /Call 1 of 2: pay \(line 4 of call \S+\) {"person":"Ada","amount":3}/,
      )
      expect(terminal.text).toMatch(/pay \(line 4 of call \S+\) needs your approval\./)
      terminal.type('y\r')
      await terminal.shows('Call 2 of 2: pay (line 4 of call ')
      await terminal.shows(({ currentLine }) => currentLine === 'Run it? y/n/e >')
      terminal.type('n\r')
      await terminal.shows('Why not?')
      terminal.type('too much\r')
      await terminal.shows('Done.')
      await terminal.prompts()
      expect(terminal.text).toContain('  ← pay #2: paid 3 to Ada')
      expect(terminal.text).toMatch(/ {2}✗ pay #3: .*too much/)
      expect(terminal.raw).not.toContain('\x1b[2J')
      expect(desk.lastRequest()).toContain('too much')
    },
  )
})

describe('an edit at a terminal', () => {
  const BACKSPACE = '\x7f'
  it.skipIf(spawnInTerminal === undefined)(
    `that does not fit is asked for again at once, before the next call (${NO_TERMINAL} otherwise)`,
    async () => {
      const desk = await chatDesk({ tools: TOOLS, turns: [PAYING, saying('Done.')] })
      const terminal = desk.terminal(['--code-mode'], { columns: 100, rows: 50 })
      await terminal.prompts()
      terminal.type('Pay all\r')
      await terminal.shows('Run it? y/n/e >')
      terminal.type('e\r')
      await terminal.shows('Arguments > {"person":"Ada","amount":3}')
      terminal.type(`${BACKSPACE.repeat(2)}"x"}\r`)
      await terminal.shows(/\$\.amount:\s+expected\s+number,\s+received\s+"x"/)
      await terminal.shows(
        ({ currentLine }) => currentLine === 'Arguments > {"person":"Ada","amount":"x"}',
      )
      expect(terminal.text).not.toContain('Call 2 of 2')
      terminal.type(`${BACKSPACE.repeat(4)}4}\r`)
      await terminal.shows('Call 2 of 2: pay (line 4 of call ')
      await terminal.shows(({ currentLine }) => currentLine === 'Run it? y/n/e >')
      terminal.type('y\r')
      await terminal.shows('Done.')
      expect(desk.lastRequest()).toContain('paid 4 to Ada')
      expect(desk.lastRequest()).toContain('paid 5 to Linus')
    },
  )
})

/** Its input fits twice: when the program calls it, and before somebody is asked. */
const FICKLE = `
let looks = 0
const fickle = { '~standard': {
  version: 1, vendor: 'test',
  jsonSchema: { input: () => ({ type: 'object', properties: { person: { type: 'string' } } }) },
  validate: (value) => value.person === 'Ada' && ++looks === 2 ? { issues: [{ message: 'not now', path: ['person'] }] } : { value },
} }
export const pay = tool({ name: 'pay', description: 'Pay', input: fickle, approval: true, execute: ({ person }) => 'paid ' + person })
`

describe('an approval at a terminal', () => {
  it.skipIf(spawnInTerminal === undefined)(
    `that is refused leaves the others as they were decided (${NO_TERMINAL} otherwise)`,
    async () => {
      const code = "return Promise.all(['Ada', 'Linus'].map((person) => tools.pay({ person })))"
      const desk = await chatDesk({ tools: FICKLE, turns: [program(code), saying('Done.')] })
      const terminal = desk.terminal(['--code-mode'], { columns: 100, rows: 50 })
      await terminal.prompts()
      terminal.type('Pay all\r')
      await terminal.shows('Run it? y/n/e >')
      terminal.type('y\r')
      await terminal.shows('Call 2 of 2: pay ')
      await terminal.shows(({ currentLine }) => currentLine === 'Run it? y/n/e >')
      terminal.type('y\r')
      await terminal.shows('not now')
      await terminal.shows(({ currentLine }) => currentLine === 'Run it? y/n/e >')
      terminal.type('y\r')
      await terminal.shows('Done.')
      expect(terminal.text.split('Call 2 of 2')).toHaveLength(2)
      expect(desk.lastRequest()).toContain('paid Ada')
    },
  )
})

const eventsIn = (stdout: string): { readonly type: string }[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly type: string })
