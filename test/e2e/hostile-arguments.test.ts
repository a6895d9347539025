/** Malformed, oversized, deeply nested or hostile arguments: an error response, never an execution. */
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { tool, toJsonSchema, toolCallsOf, type JsonSchema, type ToolSource } from 'toolwright'
import { eventsOf, scenario, toldByTools } from './scenario.ts'

const loose = (log: unknown[]): ToolSource =>
  tool({
    name: 'run',
    input: { type: 'object', additionalProperties: true },
    execute: (input) => void log.push(input),
  })

const HOSTILE: Record<string, string> = {
  'cut off': '{"a":1',
  'an unescaped quote': '{"a":"b"c"}',
  'single quotes': "{'a':1}",
  'a trailing comma': '{"a":1,}',
  'a code fence': '```json\n{"a":1}\n```',
  'a comment': '{"a":1 /* one */}',
  NaN: '{"a":NaN}',
  Infinity: '{"a":Infinity}',
  'text after it': '{"a":1} and more',
  'two objects': '{"a":1}{"a":2}',
  'a key twice': '{"a":1,"a":2}',
  null: 'null',
  'an array': '[1,2]',
  'a string': '"run"',
  'a number': '7',
  'a raw line break': '{"a":"b\nc"}',
  'the prototype': '{"__proto__":{"polluted":true}}',
  'the prototype, escaped': '{"\\u005f_proto__":{"polluted":true}}',
  'the prototype, deep': '{"a":[{"b":{"__proto__":{"polluted":true}}}]}',
  'the constructor': '{"constructor":{"prototype":{"polluted":true}}}',
  'a megabyte of [': '['.repeat(1_000_000),
  'a megabyte of {': '{"a":'.repeat(200_000),
  'balanced and deep': `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  oversized: `{"a":"${'x'.repeat(300_000)}"}`,
  'a number too large': '{"a":1e400}',
  'a number that loses its value': '{"a":9007199254740993}',
  'a half character in a key': '{"a\ud800":',
  'a byte order mark': '\uFEFF{"a":1}',
}

describe('arguments', () => {
  for (const [name, rawArguments] of Object.entries(HOSTILE)) {
    scenario(`${name}: not run, the model is told`, {
      script: [{ toolCalls: [{ name: 'run', rawArguments }] }, 'Sorry.'],
      tools: ({ log }) => [loose(log)],
      check({ log, prompts, events, result }) {
        expect(log).toEqual([])
        expect(eventsOf(events, 'tool-execution-start')).toEqual([])
        const [told] = toldByTools(prompts[1])
        expect(told!.isError).toBe(true)
        expect((told!.content as string).length).toBeLessThan(500)
        expect(told!.content).toMatch(/arguments/)
        expect(result.status).toBe('done')
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
        // What goes back to the model is valid whatever it sent.
        const [call] = toolCallsOf(prompts[1]!.messages[1]!)
        expect(() => JSON.parse(call!.arguments) as unknown).not.toThrow()
      },
    })
  }

  const REASONS: Record<string, RegExp> = {
    'cut off': /complete JSON/,
    'a key twice': /twice/,
    'the prototype': /"__proto__" is not allowed/,
    'a megabyte of [': /bytes/,
    'balanced and deep': /levels|deep/,
    oversized: /bytes/,
    'a number too large': /1e400/,
  }
  for (const [name, reason] of Object.entries(REASONS)) {
    scenario(`${name}: the model is told what is wrong with the text`, {
      script: [{ toolCalls: [{ name: 'run', rawArguments: HOSTILE[name]! }] }, 'Sorry.'],
      tools: ({ log }) => [loose(log)],
      check: ({ prompts }) => void expect(toldByTools(prompts[1])[0]!.content).toMatch(reason),
    })
  }

  const none: readonly string[] = ['', '  ', '{}', '\n']
  for (const rawArguments of none) {
    scenario(`${JSON.stringify(rawArguments)} is a call without arguments`, {
      script: [{ toolCalls: [{ name: 'run', rawArguments }] }, 'Ok.'],
      tools: ({ log }) => [loose(log)],
      check: ({ log }) => void expect(log).toEqual([{}]),
    })
  }

  scenario('lone surrogates reach the tool as they are and the model as U+FFFD', {
    script: [{ toolCalls: [{ name: 'run', rawArguments: '{"a":"\ud800"}' }] }, 'Ok.'],
    tools: () => [tool({ name: 'run', input: z.object({ a: z.string() }), execute: ({ a }) => a })],
    check({ prompts }) {
      expect(toldByTools(prompts[1])).toEqual([{ content: '\uFFFD' }])
      expect(JSON.stringify(prompts[1])).not.toMatch(/\\ud800/)
    },
  })

  const STRICT = z.object({
    city: z.string().min(1),
    unit: z.enum(['c', 'f']).optional(),
    days: z.int().min(1).max(14).optional(),
    at: z.object({ lat: z.number() }).optional(),
  })
  const strict = (log: unknown[], input: typeof STRICT | JsonSchema): ToolSource =>
    tool({ name: 'run', input, execute: (given) => void log.push(given) })
  const MISFITS: Record<string, readonly [args: object, path: string]> = {
    'a missing key': [{}, '$.city'],
    'a wrong type': [{ city: { name: 'Oslo' } }, '$.city'],
    'a wrong word': [{ city: 'Oslo', unit: 'kelvin' }, '$.unit'],
    'out of range': [{ city: 'Oslo', days: 99 }, '$.days'],
    'not whole': [{ city: 'Oslo', days: 1.5 }, '$.days'],
    'an unknown key': [{ city: 'Oslo', country: 'NO' }, 'country'],
    'an unknown key, deep': [{ city: 'Oslo', at: { lat: 1, lon: 2 } }, 'lon'],
    'a wrong type, deep': [{ city: 'Oslo', at: { lat: 'north' } }, '$.at.lat'],
  }
  for (const [name, [args, path]] of Object.entries(MISFITS)) {
    // A plain JSON Schema is checked by nobody else.
    for (const [kind, input] of [
      ['', STRICT],
      [' in a plain JSON Schema', toJsonSchema(STRICT)],
    ] as const) {
      scenario(`${name}${kind}: an error that names ${path}`, {
        script: [{ toolCalls: [{ name: 'run', arguments: args as never }] }, 'Sorry.'],
        tools: ({ log }) => [strict(log, input)],
        check({ log, prompts }) {
          expect(log).toEqual([])
          const [told] = toldByTools(prompts[1])
          expect(told).toMatchObject({ isError: true })
          expect(told!.content).toContain(path)
          expect(told!.content).toContain('Correct your arguments')
        },
      })
    }
  }

  scenario('a schema that throws while it checks is an error for the model', {
    script: [{ toolCalls: [{ name: 'run', arguments: { a: 1 } }] }, 'Sorry.'],
    tools: ({ log }) => [
      tool({
        name: 'run',
        input: z.object({
          a: z.number().refine(() => {
            throw new Error('validator down')
          }),
        }),
        execute: (input) => void log.push(input),
      }),
    ],
    check({ log, prompts }) {
      expect(log).toEqual([])
      expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }])
    },
  })
})

describe('names', () => {
  const UNKNOWN: Record<string, string> = {
    'close to one': 'setAlarn',
    'in another case': 'SETALARM',
    'of a prototype': '__proto__',
    'of an object': 'toString',
    empty: '',
    long: 'x'.repeat(100_000),
  }
  for (const [kind, name] of Object.entries(UNKNOWN)) {
    scenario(`a name ${kind} runs nothing and gets the nearest names`, {
      script: [{ toolCalls: [{ name }] }, 'Sorry.'],
      tools: ({ log }) => [
        tool({ name: 'setAlarm', execute: () => void log.push('ran') }),
        tool({ name: 'weather', execute: () => void log.push('ran') }),
      ],
      check({ log, prompts, result }) {
        expect(log).toEqual([])
        const [told] = toldByTools(prompts[1])
        expect(told).toMatchObject({ isError: true })
        expect(told!.content).toContain('Available tools: setAlarm, weather.')
        if (kind.startsWith('close') || kind.startsWith('in another'))
          expect(told!.content).toContain('Did you mean "setAlarm"?')
        expect((told!.content as string).length).toBeLessThan(400)
        expect(result.status).toBe('done')
      },
    })
  }
})
