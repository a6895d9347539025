/** What loggers with content write: prompts, arguments, results and answers, without the secrets in them. */
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { advisor, ChatClient, consoleLogger, pinoLogger, tool, type Logger } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const login = tool({
  name: 'login',
  input: { type: 'object', properties: { user: { type: 'string' }, password: {} } },
  execute: () => ({ user: 'ada', api_key: 'hunter-of-results' }),
})
const script = [
  { toolCalls: [{ name: 'login', arguments: { user: 'ada', password: 'hunter-of-arguments' } }] },
  { text: 'Your key is sk-hunter-of-answers-1234.' },
]

async function ask(logger: Logger): Promise<void> {
  const client = ChatClient.create(scriptedModel(script), { tools: [login], logger })
  await client.prompt('Log in with Bearer hunter-of-prompts').call().content()
}

function expectClean(text: string): void {
  for (const kept of ['Log in with', 'ada', 'Your key is', '[redacted]'])
    expect(text).toContain(kept)
  expect(text).not.toContain('hunter')
}

afterEach(() => vi.restoreAllMocks())

describe('a logger with content', () => {
  it('of pino writes no secret of a prompt, of arguments, a result or an answer', async () => {
    let text = ''
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString()
        done()
      },
    })
    await ask(pinoLogger(pino({ level: 'debug' }, sink), { content: true }))
    expectClean(text)
  })

  it('of the console neither', async () => {
    const lines: unknown[] = []
    vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line))
    await ask(consoleLogger({ content: true }))
    expectClean(lines.join('\n'))
  })

  it('of the program neither, and what it gets is its own', async () => {
    const lines: unknown[] = []
    const write = (message: string, data?: object): void => void lines.push([message, data])
    await ask({ content: true, debug: write, info: write, warn: write, error: write })
    expectClean(JSON.stringify(lines))
  })
})

describe('a logger without content', () => {
  it('writes no secret that a notice quotes', async () => {
    const lines: unknown[] = []
    const write = (message: string, data?: object): void => void lines.push([message, data])
    const quoting = advisor({
      name: 'quoting',
      before: (request) =>
        void request.emit({
          type: 'notice',
          code: 'quoted',
          message: 'It said Bearer hunter-of-notices',
          data: { url: 'https://a.example', password: 'hunter-of-data' },
        }),
    })
    const logger = { debug: write, info: write, warn: write, error: write }
    const client = ChatClient.create(scriptedModel(['Hello']), { advisors: [quoting], logger })
    await client.prompt('Hi').call().content()
    const text = JSON.stringify(lines)
    for (const kept of ['noticed quoted: It said', 'https://a.example', '[redacted]'])
      expect(text).toContain(kept)
    expect(text).not.toContain('hunter')
  })
})
