import { expect, it } from 'vitest'
import type { Json } from '../messages/json.ts'
import { redactJson } from './redact-json.ts'

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
