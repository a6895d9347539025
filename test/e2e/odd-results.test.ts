/** Whatever a tool returns, the model is told something, and the run goes on. */
import { describe, expect } from 'vitest'
import { tool, type ToolCallback } from 'toolwright'
import { scenario, toldByTools } from './scenario.ts'

const cyclic: Record<string, unknown> = { name: 'loop' }
cyclic['self'] = cyclic

const deep = (): unknown => {
  let value: unknown = 'bottom'
  for (let level = 0; level < 100_000; level++) value = [value]
  return value
}

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2)

const ODD: Record<string, readonly [make: () => unknown, told: unknown]> = {
  undefined: [() => undefined, 'Done'],
  null: [() => null, 'null'],
  'an empty string': [() => '', ''],
  text: [() => 'as it is', 'as it is'],
  'text that is JSON': [() => '{"a": 1}', '{"a": 1}'],
  'an object': [() => ({ a: [1, { b: null }] }), '{"a":[1,{"b":null}]}'],
  'an empty list': [() => [], '[]'],
  'an empty object': [() => ({}), '{}'],
  'a number': [() => 1.5, '1.5'],
  NaN: [() => NaN, '"NaN"'],
  false: [() => false, 'false'],
  bigint: [() => 12345678901234567890n, '12345678901234567890'],
  'a bigint inside': [() => ({ n: 1n }), '{"n":"1"}'],
  'a symbol': [() => Symbol('s'), 'Done'],
  'a date': [() => new Date(0), '"1970-01-01T00:00:00.000Z"'],
  'an invalid date': [() => new Date(NaN), 'null'],
  'a map': [() => new Map([['a', new Date(0)]]), '{"a":"1970-01-01T00:00:00.000Z"}'],
  'a map of other keys': [() => new Map<unknown, unknown>([[1n, 'x']]), '[["1","x"]]'],
  'a set': [() => new Set([1, 'a']), '[1,"a"]'],
  'an error': [() => new RangeError('too far'), '{"name":"RangeError","message":"too far"}'],
  cycles: [() => cyclic, '{"name":"loop","self":"[circular]"}'],
  'typed arrays': [() => ({ x: new Float64Array([1, 2]) }), '{"x":[1,2]}'],
  'a data view': [() => ({ x: new DataView(Uint8Array.of(1, 2).buffer) }), '{"x":"AQI="}'],
  bytes: [
    () => Uint8Array.of(1, 2, 3),
    [{ type: 'file', mediaType: 'application/octet-stream', data: 'AQID' }],
  ],
  'bytes of a picture': [
    () => PNG.buffer,
    [{ type: 'image', mediaType: 'image/png', data: 'iVBORwEC' }],
  ],
  'a media part': [
    () => ({ type: 'image', mediaType: 'image/png', url: 'https://x.test/a.png' }),
    [{ type: 'image', mediaType: 'image/png', url: 'https://x.test/a.png' }],
  ],
  parts: [
    () => [
      { type: 'text', text: 'see' },
      { type: 'audio', mediaType: 'audio/wav', data: 'AA==' },
    ],
    [
      { type: 'text', text: 'see' },
      { type: 'audio', mediaType: 'audio/wav', data: 'AA==' },
    ],
  ],
  'a toJSON': [() => ({ toJSON: () => ({ plain: true }) }), '{"plain":true}'],
  'a toJSON that throws': [
    () => ({
      toJSON() {
        throw new Error('no')
      },
    }),
    '"[unreadable]"',
  ],
  'a getter that throws': [
    () => ({
      ok: 1,
      get type(): string {
        throw new Error('no')
      },
    }),
    '{"ok":1,"type":"[unreadable]"}',
  ],
  'a revoked proxy inside': [
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return { proxy }
    },
    '{"proxy":"[unreadable]"}',
  ],
  'a key called __proto__': [() => JSON.parse('{"__proto__":1}') as unknown, '{"__proto__":1}'],
}

describe('results', () => {
  for (const [name, [make, told]] of Object.entries(ODD)) {
    scenario(name, {
      script: [{ toolCalls: [{ name: 'odd' }] }, 'Fine.'],
      tools: () => [tool({ name: 'odd', execute: make })],
      check({ prompts, result }) {
        expect(toldByTools(prompts[1])).toEqual([{ content: told }])
        expect(result.status).toBe('done')
      },
    })
  }

  scenario('a hundred thousand levels', {
    script: [{ toolCalls: [{ name: 'odd' }] }, 'Fine.'],
    tools: () => [tool({ name: 'odd', execute: deep, resultConverter: undefined })],
    check({ prompts, result }) {
      const [told] = toldByTools(prompts[1])
      expect(told!.content).toContain('[too deep]')
      expect(told!.isError).toBeUndefined()
      expect(result.status).toBe('done')
    },
  })

  scenario('a function is not shown with its source', {
    script: [{ toolCalls: [{ name: 'odd' }] }, 'Fine.'],
    tools: () => [tool({ name: 'odd', execute: () => ({ f: () => 'hidden words' }) })],
    check({ prompts }) {
      expect(JSON.stringify(toldByTools(prompts[1]))).not.toContain('hidden words')
    },
  })

  const scratch = (call: () => unknown): ToolCallback => ({
    definition: { name: 'odd', description: 'Odd', inputSchema: { type: 'object' } },
    metadata: { returnDirect: false, hints: {}, effect: 'once' },
    call: call as ToolCallback['call'],
  })
  const WRONG: Record<string, readonly [result: unknown, told: unknown]> = {
    undefined: [undefined, 'Done'],
    'an object': [{ a: 1 }, '{"a":1}'],
    'a number': [5, '5'],
    'a list of something': [[1, 2], '[1,2]'],
  }
  for (const [name, [result, told]] of Object.entries(WRONG)) {
    scenario(`a callback from scratch that returns ${name}`, {
      script: [{ toolCalls: [{ name: 'odd' }] }, 'Fine.'],
      tools: () => [scratch(() => result)],
      check: ({ prompts }) => void expect(toldByTools(prompts[1])).toEqual([{ content: told }]),
    })
    scenario(`a converter that returns ${name}`, {
      script: [{ toolCalls: [{ name: 'odd' }] }, 'Fine.'],
      tools: () => [
        tool({ name: 'odd', execute: () => 1, resultConverter: () => result as never }),
      ],
      check: ({ prompts }) => void expect(toldByTools(prompts[1])).toEqual([{ content: told }]),
    })
  }

  scenario('too much text keeps its head and tail', {
    script: [{ toolCalls: [{ name: 'odd' }] }, 'Long.'],
    client: () => ({ limits: { resultBytes: 200 } }),
    tools: () => [tool({ name: 'odd', execute: () => `start${'é'.repeat(10_000)}end` })],
    check({ prompts }) {
      const text = toldByTools(prompts[1])[0]!.content as string
      expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(200)
      expect(text).toMatch(/^start.*bytes left out.*end$/s)
      expect(text).not.toContain('\uFFFD')
    },
  })

  scenario('many texts are one result: they share its size', {
    script: [{ toolCalls: [{ name: 'odd' }] }, 'Long.'],
    client: () => ({ limits: { resultBytes: 300 } }),
    tools: () => [
      tool({
        name: 'odd',
        execute: () =>
          Array.from({ length: 50 }, () => ({ type: 'text' as const, text: 'x'.repeat(250) })),
      }),
    ],
    check({ prompts }) {
      const parts = toldByTools(prompts[1])[0]!.content as readonly { text: string }[]
      const bytes = parts.reduce((sum, part) => sum + part.text.length, 0)
      expect(bytes).toBeLessThanOrEqual(300)
    },
  })
})
