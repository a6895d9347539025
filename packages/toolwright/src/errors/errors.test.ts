import { describe, expect, it } from 'vitest'
import { CATALOGUE, type ErrorCode } from './catalogue.ts'
import {
  AdvisorError,
  ConfigurationError,
  RunSuspendedError,
  ToolExecutionError,
  ToolInputError,
  ToolTimeoutError,
  ToolwrightError,
} from './errors.ts'
import { messageOfThrown } from './message-of-thrown.ts'
import { notice, NOTICES, type NoticeEntry } from './notices.ts'
import { redactKnown } from './known-secrets.ts'
import { redact } from './redact.ts'

describe('errors', () => {
  it('say what happened and what to do next', () => {
    const error = new ConfigurationError('duplicate-tool', 'Two tools are called "a".')
    expect(error.message).toBe(`Two tools are called "a". ${CATALOGUE['duplicate-tool'].nextStep}`)
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      code: 'duplicate-tool',
      family: 'caller',
      retryable: false,
    })
    expect(error).toBeInstanceOf(ToolwrightError)
  })

  it('every code has a next step that is a sentence', () => {
    for (const code of Object.keys(CATALOGUE) as ErrorCode[]) {
      expect(CATALOGUE[code].nextStep, code).toMatch(/^[A-Z].*[.]$/)
    }
  })

  it('of an advisor name it', () => {
    const cause = new Error('x')
    const details = { advisorName: 'shout', cause }
    const error = new AdvisorError('advisor-emit-failed', 'threw in its emit', details)
    expect(error.message).toBe(
      `Advisor "shout" threw in its emit. ${CATALOGUE['advisor-emit-failed'].nextStep}`,
    )
    expect(error).toMatchObject({ ...details, code: 'advisor-emit-failed', family: 'caller' })
    expect(error).toBeInstanceOf(ToolwrightError)
  })

  it('are known by their brand, also those of another copy', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('toolwright.error')]: true })
    expect(ToolwrightError.is(foreign)).toBe(true)
    expect(ToolwrightError.is(new ConfigurationError('invalid-tool', 'x'))).toBe(true)
    for (const other of [new Error('x'), null, undefined, 'x', {}]) {
      expect(ToolwrightError.is(other)).toBe(false)
    }
  })

  it('a tool’s error keeps its cause and is never wrapped twice', () => {
    const cause = new Error('disk full')
    const details = { toolName: 'save', callId: 'c1' }
    const wrapped = ToolExecutionError.wrap(cause, details, 'disk full')
    expect(wrapped).toMatchObject({ ...details, cause, toolMessage: 'disk full' })
    expect(ToolExecutionError.wrap(wrapped, { toolName: 'other' }, 'x')).toBe(wrapped)
    expect(new ToolTimeoutError(5, details)).toMatchObject({
      code: 'tool-timeout',
      retryable: true,
    })
  })

  it('an input error lists its issues', () => {
    const issues = [{ path: '$.n', expected: 'number', received: '"x"' }]
    const error = new ToolInputError('add', issues)
    expect(error.message).toContain(
      'Invalid arguments for tool "add": $.n: expected number, received "x".',
    )
    expect(error.issues).toBe(issues)
  })

  it('a suspended run says what it waits for', () => {
    const pending = [{ callId: 'c1', toolName: 'pay', input: {}, kind: 'approval' as const }]
    const response = { results: [], usage: {}, metadata: {} }
    const error = new RunSuspendedError({
      status: 'suspended',
      response,
      messages: [],
      rounds: [],
      pending,
    })
    expect(error.message).toContain('pay (approval, c1)')
  })
})

describe('notices', () => {
  it('every code says in sentences what it means and what to do', () => {
    for (const [code, entry] of Object.entries<NoticeEntry>(NOTICES)) {
      expect(entry.meaning, code).toMatch(/^[A-Z].*[.]$/)
      expect(entry.nextStep, code).toMatch(/^[A-Z].*[.]$/)
    }
  })

  it('no code is an error’s', () => {
    expect(Object.keys(NOTICES).filter((code) => code in CATALOGUE)).toEqual([])
  })

  it('are made as events, with data only where there are any', () => {
    expect(notice('empty-answer', 'Nothing.')).toStrictEqual({
      type: 'notice',
      code: 'empty-answer',
      message: 'Nothing.',
    })
    expect(notice('retry', 'Again.', { attempt: 1 })).toMatchObject({ data: { attempt: 1 } })
    // @ts-expect-error: a code that is not in the catalogue
    notice('unheard-of', 'Words.')
  })
})

describe('redact', () => {
  const SECRETS: readonly string[] = [
    'sk-proj-abcdefghijklmnop1234',
    'sk-ant-api03-abcdefghijkl',
    'Bearer abc.def-123456',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdef',
    'AIzaSyA1234567890abcdefghij',
    'ghp_abcdefghijklmnopqrst',
    'npm_abcdefghijklmnopqrstuvwxyz0123456789',
    'hf_abcdefghijklmnopqrstuvwxyzABCDEFGH',
    'SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG',
    'token: abcdefgh12345678',
    'Server=db;Uid=me;Pwd=abcdefgh12345678',
  ]
  for (const secret of SECRETS) {
    it(`takes out ${secret.slice(0, 8)}…`, () => {
      const clean = redact(`401 for ${secret}, try again`)
      expect(clean).not.toContain(secret.slice(-10))
      expect(clean).toContain('[redacted]')
      expect(clean).toContain('try again')
    })
  }

  it('takes out what stands where secrets stand', () => {
    expect(redact('https://x.test/v1?key=abc123&q=1')).toBe('https://x.test/v1?key=[redacted]&q=1')
    expect(redact('https://me:hunter22@x.test/')).toBe('https://me:[redacted]@x.test/')
    expect(redact('{"password": "hunter22"}')).toBe('{"password": "[redacted]"}')
  })

  it('takes out known values, wherever they are, but not tiny ones', () => {
    expect(redactKnown('the word is swordfish!', ['swordfish'])).toBe('the word is [redacted]!')
    expect(redactKnown('abc', ['abc'])).toBe('abc')
  })

  it('leaves ordinary words alone', () => {
    const words = 'No tool is called "setAlarm". Keep the token count low; see key ideas.'
    expect(redact(words)).toBe(words)
    const others = [
      'Unexpected token: punc ({)',
      'PWD=/home/ada/project npm_config_registry npm_lifecycle_event hf_hub_download',
      'pin: main, otp: none, credentials: include',
      '{"token":null,"secret":true,"password":false,"totalTokens":1234}',
      'nextPageToken: abcdefgh12345678',
    ]
    for (const each of others) expect(redact(each)).toBe(each)
  })
})

describe('messageOfThrown', () => {
  it('has words for anything, and never throws', () => {
    expect(messageOfThrown(new Error('x'))).toBe('x')
    expect(messageOfThrown('x')).toBe('x')
    expect(messageOfThrown({ message: 'x' })).toBe('x')
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    for (const thrown of [
      null,
      undefined,
      '',
      0,
      Symbol('s'),
      {},
      [],
      Object.create(null),
      proxy,
    ]) {
      expect(messageOfThrown(thrown)).toMatch(/./)
    }
  })
})
