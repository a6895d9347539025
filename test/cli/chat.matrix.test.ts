/** `toolwright chat` in pipes and scripts: one question, prompts on stdin, lines of JSON. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { on, once } from 'node:events'
import type { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BERLIN, calling, chatDesk, saying, WEATHER, type ChatDesk } from './chat-desk.ts'
import { BIN, cleanEnvironment } from './command-process.ts'

const DELETE = `
export const remove = tool({
  name: 'remove', description: 'Remove a file', input: object({ path: text }),
  hints: { destructive: true },
  execute: ({ path }) => 'removed ' + path,
})
`
const REMOVE = { toolCalls: [{ name: 'remove', arguments: ['{"path":"a.txt"}'], id: 'call_1' }] }
const NO_MODEL = { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined }

const eventsIn = (stdout: string): { readonly type: string; readonly [key: string]: any }[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The command, still running. */
function started(desk: ChatDesk, words: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [BIN, 'chat', ...words], {
    cwd: desk.folder,
    env: cleanEnvironment({ OPENAI_BASE_URL: desk.server.baseUrl }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function hears(stream: Readable, text: string): Promise<void> {
  let heard = ''
  stream.setEncoding('utf8')
  for await (const [piece] of on(stream, 'data') as AsyncIterable<[string]>)
    if ((heard += piece).includes(text)) return
}

describe('one question', () => {
  it('comes from stdin when there is no argument, or when it is -', async () => {
    for (const words of [[], ['-']]) {
      const desk = await chatDesk()
      const { stdout } = await desk.run(words, { input: 'Summarise:\nthis\n' })
      expect(stdout).toBe('Hello there.\n')
      expect(desk.lastRequest()).toContain(JSON.stringify('Summarise:\nthis'))
    }
  })

  it('tells the model what --system says', async () => {
    const desk = await chatDesk()
    await desk.run(['--system', 'Speak {like} a pirate.', 'Hi'])
    expect(desk.lastRequest()).toContain('Speak {like} a pirate.')
  })

  it('gives the text of an answer as it is, without cutting or cleaning it', async () => {
    const answer = `\x1b[1m${'long '.repeat(10_000)}`
    const desk = await chatDesk({ turns: [saying(answer)] })
    expect((await desk.run(['Hi'])).stdout).toBe(`${answer}\n`)
  })

  it('gives what a tool returns directly', async () => {
    const desk = await chatDesk({
      tools: `export const now = tool({ name: 'now', description: 'Now', returnDirect: true, execute: () => 'noon' })`,
      turns: [calling('now')],
    })
    expect(await desk.run(['What time is it?'])).toMatchObject({ stdout: 'noon\n', exitCode: 0 })
  })

  it('that needs approval ends with 1 when nobody is there to ask, and runs with --yes', async () => {
    const desk = await chatDesk({ tools: DELETE, turns: [REMOVE, saying('Gone.')] })
    const refused = await desk.run(['Remove a.txt'])
    expect(refused).toMatchObject({ stdout: '', exitCode: 1 })
    expect(refused.stderr).toContain(
      'the turn waits for remove (approval). Decide on a terminal, or approve with --yes.',
    )
    const again = await chatDesk({ tools: DELETE, turns: [REMOVE, saying('Gone.')] })
    const done = await again.run(['--yes', 'Remove a.txt'])
    expect(done).toMatchObject({ stdout: 'Gone.\n', exitCode: 0 })
    expect(done.stderr).toContain('← remove: removed a.txt')
  })

  it.each([
    [{ status: 401, message: 'Incorrect API key' }, 'Check the API key'],
    [{ status: 404, message: 'No such model' }, 'Check the name of the model'],
    [{ text: ['Half an'], ending: 'eof' as const }, 'Ask again; nothing of it was executed.'],
    [{ text: [] }, 'The model said nothing.'],
  ])('without an answer ends with 1: %j', async (turn, message) => {
    const desk = await chatDesk({ turns: [turn] })
    const { stdout, stderr, exitCode } = await desk.runHere(['Hi'])
    expect(stderr).toContain(message)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
  })

  it('in circles ends with 1 and says that a limit was met', async () => {
    const desk = await chatDesk({ tools: WEATHER, turns: [BERLIN] })
    const { stderr, exitCode } = await desk.run(['Loop'])
    expect(stderr).toContain('There is no answer: a limit ended the turn.')
    expect(exitCode).toBe(1)
  })

  it.each([['Go'], ['--json', 'Go']])('%j has no answer when a tool exits', async (...words) => {
    const desk = await chatDesk({
      tools: `export const exit = tool({ name: 'exit', description: 'Exit', execute: () => process.exit(0) })`,
      turns: [calling('exit')],
    })
    const { stderr, exitCode } = await desk.run(words)
    expect(stderr).toContain('toolwright: A tool ended the process: by process.exit(), or by')
    expect(exitCode).toBe(1)
  })

  it('is aborted by an interrupt, with 130, though a tool does not listen', async () => {
    const desk = await chatDesk({
      tools: `export const stuck = tool({ name: 'stuck', description: 'Never end', execute: () => new Promise(() => setInterval(() => {}, 1000)) })`,
      turns: [calling('stuck')],
    })
    const child = started(desk, ['--tools', 'tools.ts', 'Go'])
    await hears(child.stderr, '→ stuck')
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([130, null])
  })

  it('keeps colours out of a pipe, unless FORCE_COLOR asks for them', async () => {
    const desk = await chatDesk({
      tools: WEATHER,
      turns: (step) => (step % 2 ? BERLIN : saying('Ok.')),
    })
    expect((await desk.run(['Hi'])).stderr).not.toContain('\x1b')
    const forced = await desk.run(['Hi'], { env: { FORCE_COLOR: '1' } })
    expect(forced.stderr).toContain('\x1b[36m→ getWeather')
    expect(forced.stdout).toBe('Ok.\n')
  })
})

describe('a conversation', () => {
  it('needs an id', async () => {
    const desk = await chatDesk()
    const { stderr, exitCode } = await desk.run(['--conversation', '', 'Hi'])
    expect(stderr).toContain('--conversation is empty.')
    expect(exitCode).toBe(2)
  })
})

describe('--json', () => {
  it('gives every event as a line, and nothing else on stdout', async () => {
    const desk = await chatDesk({ tools: WEATHER, turns: [BERLIN, saying('It is ', 'sunny.')] })
    const { stdout, stderr, exitCode } = await desk.run(['--json', 'How is Berlin?'])
    const events = eventsIn(stdout)
    expect(exitCode).toBe(0)
    expect(stderr).toBe('looking up\n')
    const order = events.map(({ type }) => type).filter((type) => !type.endsWith('-delta'))
    expect(order).toEqual([
      'tool-call-start',
      'tool-call',
      'round-end',
      'tool-execution-start',
      'tool-result',
      'round-end',
      'response',
    ])
    expect(events.at(-1)!.response.results[0].message.content).toBe('It is sunny.')
  })

  it('ends a failed turn with an error that has a code', async () => {
    const desk = await chatDesk({ turns: [{ status: 401, message: 'Incorrect API key' }] })
    const { stdout, exitCode } = await desk.run(['--json', 'Hi'])
    expect(eventsIn(stdout)).toEqual([
      {
        type: 'error',
        code: 'provider-auth',
        message: expect.stringContaining('Incorrect API key'),
      },
    ])
    expect(exitCode).toBe(1)
  })

  it('says in a line what is wrong before the first turn too, and ends with 2', async () => {
    const desk = await chatDesk()
    const env = { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined }
    const words = ['--json', '--model', 'openai', 'Hi']
    const { stdout, stderr, exitCode } = await desk.runHere(words, { env })
    const message = 'Models of openai need a key. Set OPENAI_API_KEY.'
    expect(eventsIn(stdout)).toEqual([{ type: 'error', code: 'invalid-command', message }])
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it('shows a suspended run with what it waits for, and ends with 1', async () => {
    const desk = await chatDesk({ tools: DELETE, turns: [REMOVE] })
    const { stdout, exitCode } = await desk.run(['--json', 'Remove a.txt'])
    const suspended = eventsIn(stdout).find(({ type }) => type === 'suspended')!
    expect(suspended.pending).toMatchObject([
      { callId: 'call_1', toolName: 'remove', kind: 'approval', input: { path: 'a.txt' } },
    ])
    expect(exitCode).toBe(1)
  })

  it('takes prompts and decisions on stdin, a line each', async () => {
    const desk = await chatDesk({ tools: DELETE, turns: [REMOVE, saying('Gone.'), saying('Yes.')] })
    const lines = [
      { prompt: 'Remove a.txt' },
      { decisions: { call_1: { edit: { path: 3 } } } },
      { decisions: { call_1: { edit: { path: 'b.txt' } } } },
      { prompt: 'Is it gone?' },
    ]
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('\n')
    const { stdout, exitCode } = await desk.run(['--json'], { input })
    const events = eventsIn(stdout)
    expect(exitCode).toBe(0)
    expect(events.filter(({ type }) => type === 'error')).toMatchObject([
      { code: 'decision-refused' },
    ])
    expect(events.find(({ type }) => type === 'tool-result')!.response.content).toContain(
      'removed b.txt',
    )
    const ends = events
      .filter(({ type }) => type === 'response')
      .map(({ response }) => response.results[0].finishReason)
    expect(ends).toEqual(['suspended', 'stop', 'stop'])
    expect(desk.lastRequest()).toContain('Gone.')
  })

  it('goes on after a turn that failed, and ends with 1', async () => {
    const desk = await chatDesk({ turns: [{ status: 400, message: 'No' }, saying('Yes.')] })
    const input = '{"prompt":"a"}\n{"prompt":"b"}\n'
    const { stdout, exitCode } = await desk.run(['--json'], { input })
    expect(eventsIn(stdout).map(({ type }) => type)).toEqual([
      'error',
      'text-delta',
      'round-end',
      'response',
    ])
    expect(exitCode).toBe(1)
  })

  it('tells of tools that changed between two turns', async () => {
    // Its first call breaks its file, the next ones mend it.
    const desk = await chatDesk({
      tools: `
import { readFileSync, writeFileSync } from 'node:fs'
const whole = readFileSync('tools.ts', 'utf8')
let calls = 0
export const change = tool({
  name: 'change', description: 'Change this file',
  execute: () => writeFileSync('tools.ts', calls++ === 0 ? 'export const' : whole),
})`,
      turns: (step) => (step % 2 ? calling('change') : saying('Ok.')),
    })
    const input = '{"prompt":"a"}\n{"prompt":"b"}\n{"prompt":"c"}\n'
    const { stdout, exitCode } = await desk.run(['--json'], { input })
    const notices = eventsIn(stdout).filter(({ type }) => type === 'notice')
    expect(notices.map(({ code }) => code)).toEqual(['tools-broken', 'tools-reloaded'])
    expect(exitCode).toBe(0)
  })

  it.each([
    ['hello\n', 'A line on stdin is no JSON object: hello'],
    ['{"text":"hello"}\n', 'A line on stdin has no prompt.'],
    ['[1]\n', 'A line on stdin has no prompt.'],
  ])('refuses the line %j with 2', async (input, message) => {
    const desk = await chatDesk()
    const { stderr, exitCode } = await desk.runHere(['--json'], { input })
    expect(stderr).toContain(message)
    expect(stderr).toContain('Write {"prompt": "…"}')
    expect(exitCode).toBe(2)
  })

  it('ends with 130 on an interrupt, in a turn and between two', async () => {
    const desk = await chatDesk({
      turns: [saying('Hello.'), { ...saying('one '), ending: 'stall' }],
    })
    for (const event of ['"type":"response"', '"type":"text-delta"']) {
      const child = started(desk, ['--json'])
      child.stdin.write('{"prompt":"Hi"}\n')
      await hears(child.stdout, event)
      child.kill('SIGINT')
      expect(await once(child, 'close')).toEqual([130, null])
    }
  })

  it('gives a line also for what has no JSON', async () => {
    const desk = await chatDesk({
      tools: `export const big = tool({ name: 'big', description: 'Big', execute: () => ({ n: 10n }) })`,
      turns: [calling('big'), saying('Big.')],
    })
    const { stdout, exitCode } = await desk.run(['--json', 'Go'])
    const result = eventsIn(stdout).find(({ type }) => type === 'tool-result')!
    expect(result.response.content).toBe('{"n":"10"}')
    expect(exitCode).toBe(0)
  })
})

describe('a wrong command line ends with 2', () => {
  it.each([
    [['--model', 'opnai:gpt', 'Hi'], 'names no provider there is. Did you mean openai?'],
    [
      ['--model', 'gpt-5.4', 'Hi'],
      'Write provider:name with one of openai, anthropic, google, ollama, demo',
    ],
    [['--model', 'anthropic', 'Hi'], 'Models of anthropic need a key. Set ANTHROPIC_API_KEY.'],
    [['--model', 'demo:large', 'Hi'], 'There is only one demo model'],
    [['--model', 'http://127.0.0.1:9/v1', 'Hi'], 'http://127.0.0.1:9/v1 does not answer.'],
    [['--model', 'http://[', 'Hi'], 'is not the address of a server.'],
    [['--model', 'http://me:secret@[', 'Hi'], '--model is not the address of a server.'],
    [['--model', 'http://127.0.0.1:9/v1#100%', 'Hi'], 'is not the address of a server.'],
    [['--model', 'http://me:secret@127.0.0.1:9/v1', 'Hi'], 'takes no user or password'],
    [['--base-url', '127.0.0.1:9', 'Hi'], '--base-url is not the address of a server.'],
    [['--base-url', 'http://me:secret@[', 'Hi'], '--base-url is not the address of a server.'],
    [['--base-url', 'http://127.0.0.1:9/v1#x', 'Hi'], '--base-url is not the address of a server.'],
    [['--base-url', 'http://me:secret@127.0.0.1:9/v1', 'Hi'], 'takes no user or password'],
    [['--base-url', 'http://127.0.0.1:9/v1', 'Hi'], 'or name the model: --model name.'],
    [
      ['--base-url', 'http://127.0.0.1:9/v1', '-m', 'http://me:secret@x', 'Hi'],
      'are two addresses.',
    ],
    [['--tools', 'nowhere.ts', 'Hi'], 'nowhere.ts'],
    [['--tools', '', 'Hi'], 'The file has no name.'],
    [['  '], 'The prompt is empty.'],
    [['one', 'two'], '"two" is too much'],
  ])('%j', async (words, message) => {
    const desk = await chatDesk({ tools: WEATHER })
    const { stdout, stderr, exitCode } = await desk.runHere(words)
    expect(stderr).toContain(message)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    expect(stderr).not.toContain('secret')
    expect(desk.server.requests).toEqual([])
  })

  it('two tools of one name in two files; the same file twice is one', async () => {
    const desk = await chatDesk({ tools: WEATHER })
    desk.write('more.ts', `export * from './tools.ts'`)
    const { stderr, exitCode } = await desk.runHere(['--tools', 'more.ts', 'Hi'])
    expect(stderr).toContain('Two tools are called "getWeather": one of tools.ts, one of more.ts.')
    expect(exitCode).toBe(2)
    expect(await desk.runHere(['--tools', './tools.ts', 'Hi'])).toMatchObject({ exitCode: 0 })
  })

  it.each(['OPENAI_API_KEY', 'ANTHROPIC_API_KEY'])('%s that no header takes', async (variable) => {
    const desk = await chatDesk()
    const words = ['--model', variable.split('_')[0]!.toLowerCase(), 'Hi']
    const env = { [variable]: 'sk-sec\nret' }
    const { stderr, exitCode } = await desk.runHere(words, { env })
    expect(stderr).toContain(`${variable} has a space, a line break or another character`)
    expect(stderr).not.toContain('ret')
    expect(exitCode).toBe(2)
  })

  it('a place where no conversation can be kept', async () => {
    const desk = await chatDesk()
    desk.write('home', '')
    const env = { TOOLWRIGHT_HOME: `${desk.folder}/home` }
    const { stderr, exitCode } = await desk.runHere(['--conversation', 'work', 'Hi'], { env })
    expect(stderr).toContain(
      `Conversations in ${desk.folder}/home/conversations.db cannot be used: `,
    )
    expect(stderr).toContain('set TOOLWRIGHT_HOME to another folder.')
    expect(exitCode).toBe(2)
  })

  it('a base URL that is none', async () => {
    const desk = await chatDesk()
    const { stderr, exitCode } = await desk.runHere(['Hi'], {
      env: { OPENAI_BASE_URL: 'nonsense' },
    })
    expect(stderr).toContain('Give baseUrl as an absolute http(s) address')
    expect(exitCode).toBe(2)
  })

  it('no model at all: the ways to connect one, and no demo that nobody asked for', async () => {
    const desk = await chatDesk()
    const { stderr, exitCode } = await desk.runHere(['Hi'], { env: NO_MODEL })
    for (const way of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'Ollama', '--model demo'])
      expect(stderr).toContain(way)
    expect(exitCode).toBe(2)
  })
})
