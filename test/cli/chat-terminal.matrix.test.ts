/** `toolwright chat` as somebody at a terminal sees it: a real process in a real pseudo-terminal. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { calling, chatDesk, saying } from './chat-desk.ts'
import { NO_TERMINAL, spawnInTerminal } from './pseudo-terminal.ts'

const WEATHER = `
export const getWeather = tool({
  name: 'getWeather',
  description: 'Get the weather of a city',
  input: object({ city: text }),
  execute: ({ city }) => 'Sunny in ' + city,
})
`
const SEND = `
export const sendMail = tool({
  name: 'sendMail',
  description: 'Send a mail',
  input: object({ to: text, body: { type: 'string', maxLength: 5 } }),
  hints: { destructive: true },
  execute: ({ to, body }) => 'sent ' + body + ' to ' + to,
})
`
const MAIL = calling('sendMail', { to: 'ada', body: 'Hi' })
const CTRL_C = '\x03'
const CTRL_D = '\x04'
const BACKSPACE = '\x7f'

beforeEach(({ skip }) => skip(spawnInTerminal === undefined, NO_TERMINAL))

describe('a turn', () => {
  it('shows text as it streams, calls with their arguments, results, and what it cost', async () => {
    const desk = await chatDesk({
      tools: WEATHER,
      turns: [
        {
          text: ['Let me ', 'look.'],
          ...calling('getWeather', { city: 'Berlin' }),
          usage: { inputTokens: 1200, outputTokens: 10 },
        },
        { ...saying('It is ', 'sunny.'), usage: { inputTokens: 34, outputTokens: 5 } },
      ],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Is it warm?\r')
    await terminal.shows('out')
    await terminal.prompts()
    expect(terminal.lines).toEqual([
      'openai:gpt-5.4, 1 tool. /help says more.',
      '> Is it warm?',
      'Let me look.',
      '→ getWeather {"city":"Berlin"}',
      '← getWeather: Sunny in Berlin',
      'It is sunny.',
      '1,234 tokens in, 15 out',
      '>',
    ])
  })

  it('shows what has come of an answer that is not finished', async () => {
    const desk = await chatDesk({ turns: [{ ...saying('one two ', 'three '), ending: 'stall' }] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Count\r')
    await terminal.shows('one two three')
  })

  it('that fails says why, and the next one works', async () => {
    const desk = await chatDesk({
      turns: [{ status: 401, message: 'Incorrect API key' }, saying('Now it works.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Hello\r')
    await terminal.shows('Incorrect API key. Check the API key and its permissions.')
    await terminal.prompts()
    terminal.type('Again\r')
    await terminal.shows('Now it works.')
  })

  it('with a failing tool shows the failure, and the model answers', async () => {
    const desk = await chatDesk({
      tools: `export const fail = tool({ name: 'fail', description: 'Fail', execute: () => { throw new Error('No disk.') } })`,
      turns: [calling('fail'), saying('It failed.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Try\r')
    await terminal.shows('✗ fail: No disk.')
    await terminal.shows('It failed.')
  })

  it('shows the progress of a tool, and for how long it runs', async () => {
    const desk = await chatDesk({
      tools: `
import { existsSync } from 'node:fs'
export const slow = tool({
  name: 'slow',
  description: 'Take long',
  async *execute() {
    yield 'half done'
    while (!existsSync('go')) await new Promise((done) => setTimeout(done, 10))
    return 'finished'
  },
})`,
      turns: [calling('slow'), saying('Done.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Go\r')
    await terminal.shows('slow: half done')
    await terminal.shows(/^[|/\\-] \d+s slow$/m)
    desk.write('go', '')
    await terminal.shows('Done.')
    await terminal.prompts()
    expect(terminal.text).not.toMatch(/\ds slow/)
  })

  it('remembers what was said before, until it is cleared', async () => {
    const desk = await chatDesk({ tools: WEATHER, turns: [saying('Hello Ada.')] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('I am Ada\r')
    await terminal.shows('Hello Ada.')
    await terminal.prompts()
    terminal.type('Who am I?\r')
    await terminal.shows(({ text }) => text.split('Hello Ada.').length === 3)
    expect(desk.lastRequest()).toContain('I am Ada')
    await terminal.prompts()
    terminal.type('/clear\r')
    await terminal.shows('Forgotten.')
    await terminal.prompts()
    terminal.type('And now?\r')
    await terminal.shows(({ text }) => text.split('Hello Ada.').length === 4)
    expect(desk.lastRequest()).not.toContain('I am Ada')
  })
})

describe('a call that needs approval', () => {
  it('runs after y', async () => {
    const desk = await chatDesk({ tools: SEND, turns: [MAIL, saying('Sent.')] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Greet Ada\r')
    await terminal.shows('sendMail needs your approval. The tool is destructive.')
    await terminal.shows('Run it?')
    terminal.type('what\r')
    await terminal.shows('y runs it, n does not, e changes its arguments first.')
    terminal.type('y\r')
    await terminal.shows('← sendMail: sent Hi to ada')
    await terminal.shows('Sent.')
  })

  it('is asked about with its place, if a tool made it', async () => {
    const inTurn = `${SEND}
import { toolRunOf } from 'toolwright'
export const round = tool({
  name: 'round',
  description: 'Write to all',
  composite: { tools: [sendMail] },
  async execute(_input: unknown, context) {
    const run = toolRunOf(context)
    const sent = await Promise.all(['ada', 'bob'].map((to, index) =>
      run.call({ index, name: 'sendMail', arguments: { to, body: 'Hi' }, line: index + 3 })))
    return sent.some((each) => 'pending' in each) ? run.suspend(null) : 'all told'
  },
})
`
    const desk = await chatDesk({
      tools: inTurn,
      turns: [{ toolCalls: [{ name: 'round', arguments: ['{}'], id: 'call_1' }] }, saying('Sent.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Greet all\r')
    await terminal.shows('Call 1 of 2: sendMail (line 3 of call call_1) {"to":"ada","body":"Hi"}')
    await terminal.shows('Run it?')
    terminal.type('y\r')
    await terminal.shows('Call 2 of 2: sendMail (line 4 of call call_1) {"to":"bob","body":"Hi"}')
    terminal.type('y\r')
    await terminal.shows('← sendMail #1: sent Hi to bob')
    await terminal.shows('Sent.')
  })

  it('does not run after n, and the model reads the reason', async () => {
    const desk = await chatDesk({ tools: SEND, turns: [MAIL, saying('As you like.')] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Greet Ada\r')
    await terminal.shows('Run it?')
    terminal.type('n\r')
    await terminal.shows('Why not?')
    terminal.type('She is on leave\r')
    await terminal.shows('As you like.')
    expect(desk.lastRequest()).toContain('She is on leave')
    expect(terminal.text).not.toContain('sent Hi')
  })

  it('runs with edited arguments, once they are JSON and fit', async () => {
    const desk = await chatDesk({ tools: SEND, turns: [MAIL, saying('Sent.')] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Greet Ada\r')
    await terminal.shows('Run it?')
    terminal.type('e\r')
    await terminal.shows('Arguments > {"to":"ada","body":"Hi"}')
    terminal.type(BACKSPACE)
    terminal.type('\r')
    await terminal.shows('This is no JSON')
    await terminal.shows(({ currentLine }) => currentLine === 'Arguments > {"to":"ada","body":"Hi"')
    terminal.type(`${BACKSPACE} there"}\r`)
    await terminal.shows(/at\s+most 5 characters/)
    await terminal.shows(
      ({ currentLine }) => currentLine === 'Arguments > {"to":"ada","body":"Hi there"}',
    )
    terminal.type(`${BACKSPACE.repeat(100)}\r`)
    await terminal.shows(({ currentLine }) => currentLine.startsWith('Run it?'))
    terminal.type('e\r')
    await terminal.shows(
      ({ currentLine }) => currentLine === 'Arguments > {"to":"ada","body":"Hi"}',
    )
    terminal.type(`${BACKSPACE.repeat(4)}Hello"}\r`)
    await terminal.shows('sent Hello to ada')
    await terminal.shows('Sent.')
  })

  it('is not approved by what was typed before it was asked about', async () => {
    const desk = await chatDesk({
      tools: `${SEND}
import { existsSync } from 'node:fs'
export const wait = tool({ name: 'wait', description: 'Wait', async execute() {
  while (!existsSync('go')) await new Promise((done) => setTimeout(done, 10))
  return 'waited'
} })`,
      turns: [calling('wait'), MAIL, saying('Well.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Greet Ada\r')
    await terminal.shows('→ wait')
    terminal.type('y\r')
    desk.write('go', '')
    await terminal.shows('Run it?')
    terminal.type('n\r')
    await terminal.shows('Why not?')
    terminal.type('\r')
    await terminal.shows('Well.')
    expect(terminal.text).not.toContain('sent Hi')
  })

  it('runs after nothing but a whole yes', async () => {
    const desk = await chatDesk({ tools: SEND, turns: [MAIL, saying('Well.')] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Greet Ada\r')
    for (const word of ['yikes', 'exit', 'not now']) {
      await terminal.shows(({ currentLine }) => currentLine === 'Run it? y/n/e >')
      terminal.type(`${word}\r`)
      await terminal.shows(`y/n/e > ${word}\ny runs it, n does not`)
    }
    await terminal.shows(({ currentLine }) => currentLine === 'Run it? y/n/e >')
    terminal.type('No\r')
    await terminal.shows('Why not?')
    terminal.type('\r')
    await terminal.shows('Well.')
    expect(terminal.text).not.toContain('sent Hi')
  })

  it('is decided apart from others of the same answer', async () => {
    const mail = (to: string) => ({ name: 'sendMail', arguments: [`{"to":"${to}","body":"Hi"}`] })
    const desk = await chatDesk({
      tools: SEND,
      turns: [{ toolCalls: [mail('ada'), mail('bob')] }, saying('One of two.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Greet them\r')
    await terminal.shows('Call 1 of 2: sendMail {"to":"ada","body":"Hi"}')
    await terminal.shows('Run it?')
    terminal.type('n\r')
    await terminal.shows('Why not?')
    terminal.type('\r')
    await terminal.shows('Call 2 of 2: sendMail {"to":"bob","body":"Hi"}')
    await terminal.shows(({ currentLine }) => currentLine === 'Run it? y/n/e >')
    terminal.type('y\r')
    await terminal.shows('One of two.')
    expect(terminal.text).toContain('sent Hi to bob')
    expect(terminal.text).not.toContain('sent Hi to ada')
  })

  it('is left with Ctrl-C: the turn is aborted, and the prompt is there', async () => {
    const desk = await chatDesk({ tools: SEND, turns: [MAIL, saying('Something else.')] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Greet Ada\r')
    await terminal.shows('Run it?')
    terminal.type(CTRL_C)
    await terminal.shows('Aborted.')
    await terminal.prompts()
    terminal.type('Then say something else\r')
    await terminal.shows('Something else.')
    expect(terminal.text).not.toContain('sent Hi')
  })
})

describe('a tool that waits for the user', () => {
  it('asks its question and goes on with the answer', async () => {
    const desk = await chatDesk({
      tools: `export const book = tool({
  name: 'book', description: 'Book a table',
  execute: (_input, context) => 'booked at ' + context.suspend('At what time?'),
})`,
      turns: [calling('book'), saying('Booked.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('A table\r')
    await terminal.shows('book asks: At what time?')
    await terminal.shows('Your answer >')
    terminal.type('19:30\r')
    await terminal.shows('← book: booked at 19:30')
    await terminal.shows('Booked.')
  })

  it('gets its result from the user when it has no body', async () => {
    const desk = await chatDesk({
      tools: `export const measure = tool({ name: 'measure', description: 'Measure', input: object({ what: text }) })`,
      turns: [calling('measure', { what: 'the desk' }), saying('Long.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('How long is my desk?\r')
    await terminal.shows('"what": "the desk"')
    await terminal.shows('Its result >')
    terminal.type('{"cm":160}\r')
    await terminal.shows('← measure: {"cm":160}')
    await terminal.shows('Long.')
  })
})

describe('what happens at the prompt', () => {
  it('is said above the line that is being typed, which stays', async () => {
    const desk = await chatDesk({
      tools: `
import { existsSync } from 'node:fs'
export const later = tool({ name: 'later', description: 'Later', execute: () => {
  const timer = setInterval(() => {
    if (!existsSync('go')) return
    clearInterval(timer)
    throw new Error('too late')
  }, 10)
  return 'started'
} })`,
      turns: [calling('later'), saying('Started.')],
    })
    const terminal = desk.terminal([], { columns: 30 })
    await terminal.prompts()
    terminal.type('Go\r')
    await terminal.shows('Started.')
    await terminal.prompts()
    terminal.type('a question of more than one row')
    await terminal.shows(/than one\n ?row$/)
    desk.write('go', '')
    await terminal.shows(/turn: too late\n> a question of more than one\n ?row$/)
    expect(terminal.text.split('a question')).toHaveLength(2)
  })
})

describe('Ctrl-C', () => {
  const STUCK = `export const stuck = tool({ name: 'stuck', description: 'Never end', execute: () => new Promise(() => setInterval(() => {}, 1000)) })`

  it('aborts a turn whose tool does not listen, and the prompt works', async () => {
    const desk = await chatDesk({ tools: STUCK, turns: [calling('stuck'), saying('Still here.')] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Go\r')
    await terminal.shows(/[|/\\-] (\d+s )?stuck$/m)
    terminal.type(CTRL_C)
    await terminal.shows('Aborted. Ctrl-C again quits.')
    await terminal.prompts()
    expect(terminal.text).not.toMatch(/[|/\\-] (\d+s )?stuck$/m)
    terminal.type('Are you there?\r')
    await terminal.shows('Still here.')
    await terminal.prompts()
    terminal.type(CTRL_D)
    expect(await terminal.ends()).toBe(0)
  })

  it('aborts an answer that stands still, and a second one quits', async () => {
    const desk = await chatDesk({ turns: [{ ...saying('one ', 'two '), ending: 'stall' }] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Count\r')
    await terminal.shows('one two')
    terminal.type(CTRL_C)
    await terminal.shows('Aborted.')
    await terminal.prompts()
    terminal.type(CTRL_C)
    expect(await terminal.ends()).toBe(130)
    expect(desk.server.openResponses).toBe(0)
  })

  it('twice in one instant quits', async () => {
    const desk = await chatDesk({ tools: STUCK, turns: [calling('stuck')] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Go\r')
    await terminal.shows('→ stuck')
    terminal.type(CTRL_C + CTRL_C)
    expect(await terminal.ends()).toBe(130)
  })

  it('at the prompt takes back what was typed, then warns, then quits', async () => {
    const desk = await chatDesk()
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('half a que')
    await terminal.shows('> half a que')
    terminal.type(CTRL_C)
    await terminal.prompts()
    expect(terminal.text).not.toContain('Ctrl-C again')
    terminal.type(CTRL_C)
    await terminal.shows('Ctrl-C again quits.')
    await terminal.prompts()
    terminal.type('\r')
    terminal.type(CTRL_C)
    await terminal.shows(({ text }) => text.split('Ctrl-C again quits.').length === 3)
    await terminal.prompts()
    terminal.type(CTRL_C)
    expect(await terminal.ends()).toBe(130)
  })
})

describe('the prompt', () => {
  it('ends with Ctrl-D, and with /exit', async () => {
    const desk = await chatDesk()
    for (const way of [CTRL_D, '/exit\r']) {
      const terminal = desk.terminal()
      await terminal.prompts()
      terminal.type(way)
      expect(await terminal.ends()).toBe(0)
      // Pasting works as before in whatever comes next, which begins a line of its own.
      expect(terminal.raw).toMatch(/\n\x1b\[\?2004l$/)
    }
  })

  it('leaves the terminal as it was when the process is told to end', async () => {
    const desk = await chatDesk()
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.kill('SIGTERM')
    await terminal.ends()
    expect(terminal.raw).toMatch(/\x1b\[\?2004l$/)
  })

  it('shows everything to whoever types, also when stderr goes to a file', async () => {
    const desk = await chatDesk({ tools: SEND, turns: [MAIL, saying('Sent.')] })
    const terminal = desk.terminal([], { errors: 'errors.txt' })
    await terminal.shows('openai:gpt-5.4, 1 tool.')
    await terminal.prompts()
    terminal.type('Greet Ada\r')
    await terminal.shows('→ sendMail {"to":"ada","body":"Hi"}\nsendMail needs your approval.')
    terminal.type('y\r')
    await terminal.shows('Sent.')
  })

  it('lists commands and tools, and takes a path for a question', async () => {
    const desk = await chatDesk({ tools: WEATHER, turns: [saying('A file.')] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('/tools\r')
    await terminal.shows('getWeather: Get the weather of a city')
    terminal.type('/nonsense\r')
    await terminal.shows('There is no /nonsense.')
    await terminal.shows('/clear  forget what was said')
    terminal.type('/etc/hosts is what?\r')
    await terminal.shows('A file.')
  })

  it('keeps what is typed during a turn for the next prompt', async () => {
    const desk = await chatDesk({
      tools: `
import { existsSync } from 'node:fs'
export const wait = tool({ name: 'wait', description: 'Wait', async execute() {
  while (!existsSync('go')) await new Promise((done) => setTimeout(done, 10))
  return 'waited'
} })`,
      turns: [calling('wait'), saying('First.'), saying('Second.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('one\r')
    await terminal.shows('→ wait')
    terminal.type('two\r')
    desk.write('go', '')
    await terminal.shows('Second.')
    expect(terminal.text).toMatch(/First\.\n.*\n> two\nSecond\./)
  })

  it('is there again after Ctrl-Z, at the prompt and in a turn', async () => {
    const desk = await chatDesk({
      turns: [{ ...saying('one '), ending: 'stall' }, saying('Back.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    // Nobody waits for the process here, so the system does not stop it.
    terminal.type('\x1a')
    await terminal.shows(({ raw }) => raw.split('\x1b[?2004h').length === 3)
    await terminal.prompts()
    terminal.type('Count\r')
    await terminal.shows('one')
    terminal.type('\x1a')
    await terminal.shows(({ raw }) => raw.split('\x1b[?2004h').length === 4)
    terminal.type(CTRL_C)
    await terminal.shows('Aborted.')
    await terminal.prompts()
    terminal.type('Again\r')
    await terminal.shows('Back.')
  })

  it('takes several pasted lines as one question, and keeps it in the history', async () => {
    const desk = await chatDesk({ turns: [saying('Read.')] })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('\x1b[200~first line\rsecond line\r\x1b[201~')
    await terminal.shows('> [paste 1: 2 lines]')
    expect(desk.server.requests).toHaveLength(0)
    terminal.type(' please\r')
    await terminal.shows('Read.')
    expect(desk.lastRequest()).toContain(JSON.stringify('first line\nsecond line please'))
    await terminal.prompts()
    terminal.type('\x1b[A')
    await terminal.shows(({ currentLine }) => currentLine === '> [paste 1: 2 lines] please')
  })
})

describe('the screen', () => {
  const LONG = 'The quick brown fox jumps over the lazy dog and runs into the forest. '

  it('breaks lines between words, at the width it has at that moment', async () => {
    const desk = await chatDesk({ turns: [saying(LONG), saying(`Again: ${LONG}`)] })
    const terminal = desk.terminal([], { columns: 40 })
    await terminal.prompts()
    terminal.type('Tell\r')
    await terminal.shows('forest.')
    expect(terminal.lines).toContain('The quick brown fox jumps over the lazy')
    await terminal.prompts()
    const { length } = terminal.raw
    terminal.resize(25)
    // The prompt is drawn anew.
    await terminal.shows(({ raw }) => raw.length > length)
    terminal.type('Again\r')
    await terminal.shows(
      'Again: The quick brown\nfox jumps over the lazy\ndog and runs into the\nforest.',
    )
  })

  it('leaves no status behind when it is resized while a tool runs', async () => {
    const desk = await chatDesk({
      tools: `
import { existsSync } from 'node:fs'
export const aToolWithAVeryLongNameIndeed = tool({ name: 'aToolWithAVeryLongNameIndeed', description: 'Wait', async execute() {
  while (!existsSync('go')) await new Promise((done) => setTimeout(done, 10))
  return 'waited'
} })`,
      turns: [calling('aToolWithAVeryLongNameIndeed'), saying('Done.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Go\r')
    await terminal.shows(/^[|/\\-] aToolWith/m)
    for (const columns of [20, 100]) {
      terminal.resize(columns)
      const { length } = terminal.raw
      // Drawn again at the new width, at least once.
      await terminal.shows(({ raw }) => raw.indexOf('aToolWith', length) > 0)
    }
    desk.write('go', '')
    await terminal.shows('Done.')
    await terminal.prompts()
    expect(terminal.text).not.toMatch(/^[|/\\-] /m)
  })

  it('can be used with 20 columns', async () => {
    const desk = await chatDesk({ tools: SEND, turns: [MAIL, saying(LONG)] })
    const terminal = desk.terminal([], { columns: 20 })
    await terminal.prompts()
    terminal.type('Greet my good old friend Ada\r')
    await terminal.shows('sendMail needs your\napproval. The tool\nis destructive.')
    terminal.type('y\r')
    await terminal.shows('jumps over the lazy\ndog and runs into\nthe forest.')
    await terminal.prompts()
    terminal.type('/help\r')
    await terminal.shows('/clear  forget what\nwas said')
  })

  it('shows escapes of tools and models as text, and cuts what is long', async () => {
    const desk = await chatDesk({
      tools: `export const evil = tool({ name: 'evil', description: 'Be evil', execute: () => {
  process.stdout.write('\\x1b[2J\\x1b[Hprinted ' + 'p'.repeat(1_000_000))
  console.error('\\x1b]0;title\\x07error')
  return '\\x1b[2Jresult ' + 'r'.repeat(50_000)
} })`,
      turns: [calling('evil'), saying('\x1b[2Jclean \x1b]0;pwned\x07')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Go\r')
    await terminal.shows('clean')
    await terminal.prompts()
    expect(terminal.raw).not.toMatch(/\x1b\[2J|\x1b\]0;/)
    expect(terminal.raw.length).toBeLessThan(20_000)
    for (const shown of [
      '> Go',
      '\nprinted\npppp',
      '… what tools print further is not shown',
      '← evil: result\n  rrrr',
      'more characters',
    ])
      expect(terminal.text).toContain(shown)
    terminal.type(CTRL_D)
    expect(await terminal.ends()).toBe(0)
  })

  it('is there again after a tool that asked somebody itself', async () => {
    const desk = await chatDesk({
      // The old module of domains, which some packages still load, wants stray failures for itself.
      tools: `
import 'node:domain'
import { createInterface } from 'node:readline/promises'
export const ask = tool({ name: 'ask', description: 'Ask', execute() {
  const lines = createInterface({ input: process.stdin })
  lines.close()
  return 'asked'
} })`,
      turns: [calling('ask'), saying('Well.')],
    })
    const terminal = desk.terminal()
    for (const times of [1, 2]) {
      await terminal.prompts()
      terminal.type('Go\r')
      await terminal.shows(({ text }) => text.split('Well.').length === times + 1)
    }
  })

  it('survives a tool that throws where nobody waits for it', async () => {
    const desk = await chatDesk({
      tools: `export const stray = tool({ name: 'stray', description: 'Stray', execute: () => {
  setTimeout(() => { throw new Error('much later') })
  void Promise.reject(new Error('nobody waits'))
  return 'fine'
} })`,
      turns: [calling('stray'), saying('All is well.')],
    })
    const terminal = desk.terminal()
    await terminal.prompts()
    terminal.type('Go\r')
    await terminal.shows('All is well.')
    await terminal.shows('Something failed outside of a turn: much later')
    await terminal.shows('Something failed outside of a turn: nobody waits')
    await terminal.prompts()
    terminal.type('More\r')
    await terminal.shows(({ text }) => text.split('All is well.').length === 3)
  })

  it('has no colours when NO_COLOR is set', async () => {
    const desk = await chatDesk({
      tools: WEATHER,
      turns: [calling('getWeather', { city: 'x' }), saying('Ok.')],
    })
    const colours = /\x1b\[\d+m/
    for (const [env, coloured] of [
      [{}, true],
      [{ NO_COLOR: '1' }, false],
    ] as const) {
      const terminal = desk.terminal([], { env })
      await terminal.prompts()
      terminal.type('Go\r')
      await terminal.shows('Ok.')
      expect(colours.test(terminal.raw)).toBe(coloured)
    }
  })
})

describe('tools that change between two turns', () => {
  const greeting = (word: string): string =>
    `export const greet = tool({ name: 'greet', description: 'Greet', execute: () => word })
import { word } from './word.ts'
// ${word}
`

  it('are loaded again, also when only what they import changed; a broken edit leaves them', async () => {
    const desk = await chatDesk({
      tools: greeting(''),
      turns: (step) => (step % 2 ? calling('greet') : saying('Ok.')),
    })
    desk.write('word.ts', `export const word = 'one'`)
    const terminal = desk.terminal()
    const answers = (times: number) =>
      terminal.shows(({ text }) => text.split('\nOk.').length === times + 1)
    await terminal.prompts()
    terminal.type('1\r')
    await terminal.shows('← greet: one')
    await answers(1)
    await terminal.prompts()
    desk.write('word.ts', `export const word = 'two'`)
    terminal.type('2\r')
    await terminal.shows('Tools changed and were loaded again: greet.')
    await terminal.shows('← greet: two')
    await answers(2)
    await terminal.prompts()
    desk.write('word.ts', `export const word = `)
    terminal.type('3\r')
    await terminal.shows('Until then the tools stay as they were.')
    await terminal.shows(({ text }) => text.split('← greet: two').length === 3)
    await answers(3)
    await terminal.prompts()
    terminal.type('4\r')
    await answers(4)
    expect(terminal.text.split('Until then')).toHaveLength(2)
    await terminal.prompts()
    desk.write('word.ts', `export const word = 'three'`)
    terminal.type('5\r')
    await terminal.shows('← greet: three')
  })
})

describe('tools that never come to the end of their loading', () => {
  it('are left with Ctrl-C, and the prompt is there; twice quits', async () => {
    const desk = await chatDesk({ tools: WEATHER })
    const terminal = desk.terminal()
    await terminal.prompts()
    desk.write(
      'tools.ts',
      `import { writeFileSync } from 'node:fs'
writeFileSync('loading', '')
await new Promise((done) => setTimeout(done, 10_000_000))`,
    )
    terminal.type('Go\r')
    await terminal.shows(() => existsSync(join(desk.folder, 'loading')))
    terminal.type(CTRL_C)
    await terminal.shows('Aborted. Ctrl-C again quits.')
    await terminal.prompts()
    terminal.type(CTRL_C)
    expect(await terminal.ends()).toBe(130)
  })
})

describe('one question on a terminal', () => {
  it('ends in words when a tool throws where nobody waits for it', async () => {
    const desk = await chatDesk({
      tools: `export const stray = tool({ name: 'stray', description: 'Stray', execute() {
  setTimeout(() => { throw new Error('\\x1b[2Jlost') })
  return new Promise(() => {})
} })`,
      turns: [calling('stray')],
    })
    const terminal = desk.terminal(['Go'])
    expect(await terminal.ends()).toBe(1)
    expect(terminal.lines.slice(-3)).toEqual([
      'toolwright: Something failed that nobody awaits: lost',
      '  at tools.ts:6:28',
      'Await it in the tool, or catch what it throws.',
    ])
    expect(terminal.raw).not.toContain('\x1b[2J')
  })

  it('asks for approval there, and ends with the answer', async () => {
    const desk = await chatDesk({ tools: SEND, turns: [MAIL, saying('Sent.')] })
    const terminal = desk.terminal(['Greet Ada'])
    await terminal.shows('Run it?')
    terminal.type('y\r')
    expect(await terminal.ends()).toBe(0)
    expect(terminal.lines).toContain('Sent.')
    expect(terminal.lines).toContain('← sendMail: sent Hi to ada')
  })

  it('shows there what it asks about, also when the notes go to a file', async () => {
    const desk = await chatDesk({ tools: SEND, turns: [MAIL, saying('Sent.')] })
    const terminal = desk.terminal(['Greet Ada'], { errors: 'errors.txt' })
    await terminal.shows('Run it?')
    expect(terminal.lines).toContain('Call 1 of 1: sendMail {"to":"ada","body":"Hi"}')
    expect(terminal.lines).toContain('sendMail needs your approval. The tool is destructive.')
    terminal.type('y\r')
    expect(await terminal.ends()).toBe(0)
    expect(terminal.lines).toContain('Sent.')
    expect(terminal.text).not.toContain('← sendMail')
  })

  it('that is refused shows what the provider says as text', async () => {
    const message = `\x1b[2J${'No, not to you. '.repeat(6)}`
    const desk = await chatDesk({ turns: [{ status: 400, message }] })
    const terminal = desk.terminal(['Hi'], { columns: 30 })
    expect(await terminal.ends()).toBe(1)
    expect(terminal.raw).not.toContain('\x1b[2J')
    expect(terminal.lines.slice(0, 2)).toEqual([
      'toolwright: openai answered',
      '400: No, not to you. No, not',
    ])
  })

  it('ends with 130 when a question is left with Ctrl-C', async () => {
    const desk = await chatDesk({ tools: SEND, turns: [MAIL] })
    const terminal = desk.terminal(['Greet Ada'])
    await terminal.shows('Run it?')
    terminal.type(CTRL_C)
    expect(await terminal.ends()).toBe(130)
  })

  it('ends with 130 on Ctrl-C', async () => {
    const desk = await chatDesk({ turns: [{ ...saying('one ', 'two '), ending: 'stall' }] })
    const terminal = desk.terminal(['Count'])
    await terminal.shows('one two')
    terminal.type(CTRL_C)
    expect(await terminal.ends()).toBe(130)
  })
})

describe('without a model', () => {
  const env = { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined }

  it('says how to connect one and offers the demo; no ends with 2', async () => {
    const desk = await chatDesk()
    const terminal = desk.terminal([], { env })
    await terminal.shows('set OPENAI_API_KEY')
    await terminal.shows('Chat with the demo? y/n >')
    terminal.type('n\r')
    expect(await terminal.ends()).toBe(2)
  })
  it('chats with the demo after a yes', async () => {
    const desk = await chatDesk({ tools: WEATHER })
    const terminal = desk.terminal([], { env })
    await terminal.shows('Chat with the demo? y/n >')
    terminal.type('y\r')
    await terminal.prompts()
    terminal.type('What is the weather in Berlin?\r')
    await terminal.shows('→ getWeather {"city":"Berlin"}')
    await terminal.shows(/demo model/i)
    await terminal.prompts()
    terminal.type(CTRL_D)
    expect(await terminal.ends()).toBe(0)
  })
})
