/** What the library says of itself: nothing by default, everything at debug, content only when asked for. */
import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  consoleLogger,
  loggingAdvisor,
  ORDER,
  tool,
  type ChatClientOptions,
  type Logger,
} from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { bundleProgram } from '../processes/bundle-program.ts'
import { scenario } from './scenario.ts'

interface Line {
  readonly level: string
  readonly message: string
  readonly data: unknown
}

function collecting(content = false): Logger & { readonly lines: Line[] } {
  const lines: Line[] = []
  const at = (level: string) => (message: string, data?: object) =>
    void lines.push({ level, message, data })
  return {
    lines,
    content,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  }
}

const greet = tool({
  name: 'greet',
  input: z.object({ whom: z.string() }),
  execute: ({ whom }) => `Hello ${whom}`,
})
const CALL = { toolCalls: [{ name: 'greet', arguments: { whom: 'Ada' } }] }

describe('a logger', () => {
  let logger = collecting()
  const options = (): ChatClientOptions => ({ logger: (logger = collecting()) })

  scenario('is told of the rounds of a run, and of a model none: each exchange is one', {
    script: [CALL, 'Greeted.'],
    client: options,
    tools: () => [greet],
    check() {
      const ended = logger.lines.filter(({ message }) => message.endsWith('scripted ended'))
      expect(
        ended.map(({ message, data }) => [message, (data as { readonly rounds?: number }).rounds]),
      ).toEqual([
        ['model scripted ended', undefined],
        ['model scripted ended', undefined],
        ['client scripted ended', 2],
      ])
    },
  })

  scenario('is told every main operation at debug, with duration and usage, without content', {
    script: [{ ...CALL, usage: { inputTokens: 7 } }, 'Greeted.'],
    client: options,
    tools: () => [greet],
    check({ mode }) {
      expect(logger.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
        'debug client scripted started',
        'debug advisor tool-calling started',
        'debug round 1 started',
        'debug model scripted started',
        'debug model scripted ended',
        'debug tool greet started',
        'debug tool greet ended',
        'debug round 1 ended',
        'debug round 2 started',
        'debug model scripted started',
        'debug model scripted ended',
        'debug round 2 ended',
        'debug advisor tool-calling ended',
        'debug client scripted ended',
      ])
      expect(logger.lines[0]!.data).toEqual({
        runId: 'run_1',
        mode,
        phase: 'start',
        provider: 'scripted',
        toolNames: ['greet'],
      })
      expect(logger.lines[4]!.data).toMatchObject({ durationMs: 0, usage: { inputTokens: 7 } })
      expect(logger.lines[5]!.data).toEqual({ runId: 'run_1', callId: 'call_1' })
      expect(JSON.stringify(logger.lines)).not.toMatch(/Ada|Greeted|Go/)
    },
  })

  scenario('gets content when it asks for it', {
    script: [CALL, 'Greeted.'],
    client: () => ({ logger: (logger = collecting(true)), toolContext: { key: 'hunter2' } }),
    tools: () => [greet],
    check() {
      const text = JSON.stringify(logger.lines)
      for (const word of ['Ada', 'Hello Ada', 'Greeted', 'Go']) expect(text).toContain(word)
      expect(text).not.toContain('hunter2')
    },
  })

  scenario('is warned of what nobody else would hear of', {
    script: [
      {
        toolCalls: [
          { name: 'greet it', rawArguments: '' },
          { name: 'wrong', arguments: {} },
          { name: 'greet', arguments: { whom: 1 } },
        ],
      },
      { text: '' },
    ],
    client: options,
    tools: () => [greet, tool({ name: 'greet it', execute: () => 'ok' })],
    check() {
      const warned = logger.lines.filter(({ level }) => level === 'warn')
      expect(warned.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^client scripted noticed odd-tool-name/),
        expect.stringMatching(/^tool greet it noticed blank-arguments/),
        'tool wrong refused',
        'tool greet refused',
        expect.stringMatching(/^client scripted noticed empty-answer/),
      ])
    },
  })

  scenario('is warned of a call that failed, by the class or the code of its error', {
    script: [{ toolCalls: [{ name: 'odd' }, { name: 'slow' }] }, 'Neither.'],
    client: options,
    tools: () => [
      tool({
        name: 'odd',
        execute() {
          throw new RangeError('not with sk-abcdefghijklmnopqrstuvwx')
        },
      }),
      tool({ name: 'slow', timeoutMs: 10, execute: () => new Promise(() => {}) }),
    ],
    during: ({ clock }) => clock.advance(100),
    check() {
      const warned = logger.lines.filter(({ level }) => level === 'warn')
      expect(warned).toMatchObject([
        { message: 'tool odd failed: not with [redacted]', data: { errorType: 'RangeError' } },
        {
          message: expect.stringMatching(/^tool slow failed: /) as string,
          data: { errorType: 'tool-timeout' },
        },
      ])
    },
  })

  it('is not warned of calls that an abort breaks off: the failed run says so', async () => {
    const leaving = new AbortController()
    const deaf = tool({
      name: 'deaf',
      execute() {
        leaving.abort(new Error('gone'))
        return new Promise(() => {})
      },
    })
    logger = collecting()
    const client = ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'deaf' }] }]), { logger })
    const run = client.prompt('Go').tools(deaf).signal(leaving.signal).call()
    await expect(run.result()).rejects.toThrow('gone')
    const failed = logger.lines.filter(({ message }) => message.includes('failed'))
    expect(failed.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'debug tool deaf failed: gone',
      'debug round 1 failed: gone',
      'debug advisor tool-calling failed: gone',
      'error client scripted failed: gone',
    ])
  })

  scenario('is told of a run that failed as an error, redacted', {
    script: [{ error: new Error('refused: Bearer abcdefghijkl') }],
    client: options,
    check() {
      const errors = logger.lines.filter(({ level }) => level === 'error')
      expect(errors.map(({ message }) => message)).toEqual([
        'client scripted failed: refused: [redacted]',
      ])
    },
  })

  it('hears of a result that came too late, also after the run', async () => {
    const clock = manualClock()
    let finish = (): void => {}
    const late = tool({
      name: 'late',
      timeoutMs: 10,
      execute: () => new Promise<void>((resolve) => (finish = resolve)),
    })
    logger = collecting()
    const run = ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'late' }] }, 'Without.']), {
      logger,
      clock,
    })
      .prompt('Go')
      .tools(late)
      .call()
    const answered = run.content()
    await clock.advance(20)
    await answered
    finish()
    await clock.advance(0)
    const warned = logger.lines.filter(({ level }) => level === 'warn')
    expect(warned.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^tool late failed: .* no result within 10 ms/),
      'client scripted noticed late-result: Tool "late" settled too late; its result was dropped.',
    ])
  })

  scenario('one that throws never breaks a run', {
    script: [CALL, 'Greeted.'],
    client: () => ({
      logger: {
        ...collecting(),
        debug() {
          throw new Error('disk full')
        },
      },
    }),
    tools: () => [greet],
    check({ result, events }) {
      expect(result.status).toBe('done')
      expect(events.filter((event) => event.type === 'notice')).toMatchObject([
        { code: 'observer-failed', message: 'The observer or logger failed: disk full' },
      ])
    },
  })
})

for (const [way, write] of Object.entries({
  'never answers': () => new Promise(() => {}),
  'rejects later': () => Promise.reject(new Error('disk full')),
}))
  describe(`a logger that ${way}`, () => {
    scenario('is not waited for', {
      script: [CALL, 'Greeted.'],
      client: () => ({
        logger: { debug: write, info: write, warn: write, error: write } as never,
      }),
      tools: () => [greet],
      check({ result, events }) {
        expect(result.status).toBe('done')
        const codes = events.flatMap((event) => (event.type === 'notice' ? [event.code] : []))
        expect(codes).toEqual(way === 'rejects later' ? ['observer-failed'] : [])
      },
    })
  })

describe('consoleLogger', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('prints one line each with console.error, from its level on', () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const logger = consoleLogger({ level: 'warn' })
    logger.debug('no')
    logger.info('no')
    logger.warn('careful', { runId: 'run_1' })
    logger.error('ouch')
    expect(printed.mock.calls).toEqual([
      ['toolwright warn careful {"runId":"run_1"}'],
      ['toolwright error ouch {}'],
    ])
  })

  it('refuses what it does not know', () => {
    expect(() => consoleLogger({ levl: 'warn' } as never)).toThrow(/did you mean "level"/i)
    expect(() => consoleLogger({ level: 'loud' as never })).toThrow(/debug, info, warn, error/)
  })
})

describe('TOOLWRIGHT_LOG', async () => {
  const program = await bundleProgram(new URL('logged-process.ts', import.meta.url))
  afterAll(() => program[Symbol.dispose]())
  const run = (level: string | undefined) => {
    const { TOOLWRIGHT_LOG: _inherited, ...inherited } = process.env
    const env = level === undefined ? inherited : { ...inherited, TOOLWRIGHT_LOG: level }
    const { stdout, stderr } = spawnSync(process.execPath, [program.file], {
      env,
      encoding: 'utf8',
    })
    return {
      stdout: stdout.trim(),
      lines: stderr.split('\n').filter((line) => /^toolwright/.test(line)),
    }
  }

  it('prints to stderr without any code; by default nothing', () => {
    expect(run(undefined)).toEqual({ stdout: 'Hi.', lines: [] })
    const { stdout, lines } = run('debug')
    expect(stdout).toBe('Hi.')
    expect(lines[0]).toMatch(/^toolwright debug client scripted started \{"runId":"run_/)
    expect(lines.at(-1)).toMatch(/^toolwright debug client scripted ended .*"durationMs":/)
    expect(lines.join('\n')).not.toContain('Hi.')
  })

  it('a higher level prints less, and an unknown one says what there is', () => {
    expect(run('warn').lines).toEqual([])
    expect(run('loud').lines).toEqual([
      'toolwright: TOOLWRIGHT_LOG takes debug, info, warn, error; it is "loud".',
    ])
  })
})

describe('loggingAdvisor', () => {
  let logger = collecting()

  scenario('logs what the model is asked and answers, in every round, at debug', {
    script: [CALL, 'Greeted.'],
    client: () => ({
      toolContext: { session: 'hunter2' },
      advisors: [loggingAdvisor({ logger: (logger = collecting()) })],
    }),
    tools: () => [greet],
    check() {
      expect(logger.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
        'debug request',
        'debug answer',
        'debug request',
        'debug answer',
      ])
      expect(logger.lines[0]!.data).toMatchObject({
        runId: 'run_1',
        round: 1,
        messages: [{ role: 'user', content: 'Go' }],
        toolNames: ['greet'],
      })
      expect(logger.lines[3]!.data).toMatchObject({
        results: [{ message: { content: 'Greeted.' }, finishReason: 'stop' }],
      })
      expect(JSON.stringify(logger.lines)).not.toContain('hunter2')
    },
  })

  scenario('outside the loop it logs the run as a whole, a suspension too', {
    script: [{ toolCalls: [{ name: 'pay' }] }],
    client: () => ({
      advisors: [loggingAdvisor({ logger: (logger = collecting()), order: ORDER.first })],
    }),
    tools: () => [tool({ name: 'pay', approval: true, execute: () => 'ok' })],
    check() {
      expect(logger.lines.map(({ message }) => message)).toEqual(['request', 'answer'])
      expect(logger.lines[1]!.data).toMatchObject({ pending: [{ toolName: 'pay' }] })
    },
  })

  scenario('redacts secrets, and names media by their size', {
    script: ['Use sk-abcdefghijklmnop.'],
    client: () => ({
      advisors: [loggingAdvisor({ logger: (logger = collecting()) })],
      options: { providerOptions: { scripted: { apiKey: 'plain-looking' } } },
    }),
    request: (client) =>
      client.prompt().user([
        { type: 'text', text: 'My password: swordfish' },
        { type: 'image', mediaType: 'image/png', data: 'QUJDRA==' },
      ]),
    check() {
      const text = JSON.stringify(logger.lines)
      expect(text).not.toMatch(/swordfish|abcdefghijklmnop|plain-looking|QUJDRA/)
      expect(text).toContain('[8 characters]')
    },
  })

  scenario('logs a failure, and passes it on', {
    script: [{ error: new RangeError('gone') }],
    client: () => ({ advisors: [loggingAdvisor({ logger: (logger = collecting()) })] }),
    check({ error }) {
      expect(error).toEqual(new RangeError('gone'))
      expect(logger.lines[1]).toMatchObject({ message: 'failed', data: { error: 'gone' } })
    },
  })

  const failing: Record<string, () => void> = {
    throws: () => {
      throw new Error('disk full')
    },
    // Unhandled, it would fail the whole test run, as it would end a process.
    rejects: () => Promise.reject(new Error('disk full')),
  }
  for (const [how, debug] of Object.entries(failing)) {
    scenario(`a logger that ${how} breaks nothing`, {
      script: ['Hello.'],
      client: () => ({ advisors: [loggingAdvisor({ logger: { ...collecting(), debug } })] }),
      check: ({ result }) => void expect(result.status).toBe('done'),
    })
  }

  it('prints by default, and lets events go past it', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const client = ChatClient.create(scriptedModel(['Hi.']), { advisors: [loggingAdvisor()] })
    await client.prompt('Go').call().content()
    expect(printed.mock.calls.flat()).toEqual([
      expect.stringMatching(/^toolwright debug request \{.*"Go"/),
      expect.stringMatching(/^toolwright debug answer \{.*"Hi\."/),
    ])
    printed.mockRestore()
    expect(() => loggingAdvisor({ loger: {} } as never)).toThrow(/Did you mean "logger"/)
  })
})
