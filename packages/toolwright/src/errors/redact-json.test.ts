import { expect, it } from 'vitest'
import type { Json } from '../messages/json.ts'
import { redactJson } from './redact-json.ts'
import { redact } from './redact.ts'

it('takes secrets out of texts, and out of fields that are named after them', () => {
  const kept = {
    user: 'ada',
    api_key: 'anything',
    password: 'with "quotes" and, more',
    secret: 12345,
    headers: { authorization: 'Custom abcdefgh', accept: 'text/plain' },
    list: ['sk-abcdefghijkl', 'fine', 7, null, true],
    'Bearer abcdefgh': 1,
    passwords: ['not a name of a secret'],
  }
  expect(redactJson(kept)).toEqual({
    user: 'ada',
    api_key: '[redacted]',
    password: '[redacted]',
    secret: '[redacted]',
    headers: { authorization: '[redacted]', accept: 'text/plain' },
    list: ['[redacted]', 'fine', 7, null, true],
    '[redacted]': 1,
    passwords: ['not a name of a secret'],
  })
})

it('keeps fields whose name only begins like a key, and loses none whose name is one', () => {
  const fields = { keyPerformanceIndicators: 5, 'key-performance-summary': 'up' }
  expect(redactJson(fields)).toEqual(fields)
  expect(redactJson({ 'sk-abcdefgh1234': 1, 'sk-ijklmnop5678': 2 })).toEqual({
    '[redacted]': 1,
    '[redacted] 2': 2,
  })
})

it('keeps what is no secret as it is, whatever it is', () => {
  const values: readonly Json[] = [null, true, 0, '', [], {}, { token: { count: 3 } }]
  for (const value of values) expect(redactJson(value)).toEqual(value)
  expect(redactJson(JSON.parse('{"__proto__":"x"}') as Json)).toEqual(
    JSON.parse('{"__proto__":"x"}'),
  )
})

it('knows fields of secrets by their names, however these are written', () => {
  const names = [
    ...[
      'password',
      'PASSWD',
      'db_password',
      'pwd',
      'passphrase',
      'secret',
      'client-secret',
      'clientSecret',
    ],
    ...[
      'apiKey',
      'api_key',
      'x-api-key',
      'accessKey',
      'private_key',
      'privateKey',
      'PRIVATE-KEY',
      'signingKey',
    ],
    ...[
      'token',
      'Token',
      'access_token',
      'idToken',
      'id_token',
      'ID-TOKEN',
      'csrfToken',
      'refreshToken',
    ],
    ...[
      'sessionId',
      'session_id',
      'mcp-session-id',
      'sessionToken',
      'connectionString',
      'credential',
    ],
    ...[
      'credentials',
      'googleCredentials',
      'bearer',
      'jwt',
      'otp',
      'pin',
      'authorization',
      'cookie',
      'Set-Cookie',
    ],
  ]
  for (const name of names)
    expect(redactJson({ [name]: 'hunter2' }), name).toEqual({ [name]: '[redacted]' })
  for (const name of names) {
    const text = JSON.stringify({ note: 'fine', [name]: 'hunter2', last: 1 })
    expect(redact(text), name).toBe(text.replace('hunter2', '[redacted]'))
    expect(redact(JSON.stringify(text)), name).not.toContain('hunter2')
  }
})

it('keeps counts of tokens, pages, ids of keys and plain words', () => {
  const names = [
    ...[
      'inputTokens',
      'output_tokens',
      'maxTokens',
      'totalTokens',
      'tokens',
      'tokenCount',
      'tokenizer',
    ],
    ...[
      'nextPageToken',
      'page_token',
      'nextToken',
      'continuationToken',
      'session',
      'signature',
      'spin',
      'pins',
    ],
    ...[
      'accessKeyId',
      'keyboard',
      'publicKey',
      'monkey',
      'secretary',
      'passenger',
      'tokenType',
      'hotpot',
    ],
  ]
  for (const name of names) {
    const fields = { [name]: 'a word', nested: { [name]: 1234 } }
    expect(redactJson(fields), name).toEqual(fields)
    expect(redact(JSON.stringify(fields)), name).toBe(JSON.stringify(fields))
  }
})
