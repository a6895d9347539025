/** Programs that call tools, through the front door: what they are told, what the model is told, what readers see. */
import { codeMode } from '@toolwright/code-mode'
import { describe, expect } from 'vitest'
import { tool } from 'toolwright'
import { eventsOf, scenario } from '../e2e/scenario.ts'

const program = (code: string) => ({ toolCalls: [{ name: 'runProgram', arguments: { code } }] })
const fixed = { clock: { now: () => 1_700_000_000_000 }, random: { next: () => 0.5 } }

const expenses = tool({
  name: 'expenses',
  input: { type: 'object', properties: { person: { type: 'string' } }, required: ['person'] },
  execute: ({ person }: { person: string }) => [
    { person, amount: person.length },
    { person, amount: 2 },
  ],
})

describe('a program', () => {
  scenario('calls tools side by side, and the model reads what it returns', {
    script: [
      program(`
        const names: string[] = ['Ada', 'Grace']
        const all = await Promise.all(names.map((person) => tools.expenses({ person })))
        console.log('got', all.length)
        return all.flat().reduce((sum, { amount }) => sum + amount, 0)
      `),
      'They spent 12.',
    ],
    tools: () => [codeMode({ tools: [expenses], ...fixed })],
    check({ result, events }) {
      expect(result.messages.at(-2)).toEqual({
        role: 'tool',
        responses: [
          { id: 'call_1', name: 'runProgram', content: '{"result":12,"console":["got 2"]}' },
        ],
      })
      expect(
        eventsOf(events, 'tool-result').map(({ toolCall, parentCallId }) => [
          toolCall.id,
          toolCall.name,
          parentCallId,
        ]),
      ).toEqual([
        ['call_1/0', 'expenses', 'call_1'],
        ['call_1/1', 'expenses', 'call_1'],
        ['call_1', 'runProgram', undefined],
      ])
      expect(eventsOf(events, 'tool-progress').map(({ progress }) => progress)).toEqual([
        { console: 'log', text: 'got 2' },
      ])
    },
  })

  scenario('that throws is an error with the line of the code', {
    script: [program('const a = 1\n\nreturn a.b.c'), 'Sorry.'],
    tools: () => [codeMode({ tools: [expenses], ...fixed })],
    check({ events }) {
      const { response } = eventsOf(events, 'tool-result')[0]!
      expect(response).toMatchObject({ isError: true })
      expect(response.content).toContain('TypeError')
      expect(response.content).toContain('(line 3)')
    },
  })

  for (const [what, code, line] of [
    ['alone', '```ts\nconst a = 1\nreturn a.b.c\n```', 3],
    ['below empty lines', '\n\n```\nreturn a.b.c\n```\n', 4],
    ['with the line ends of Windows', '\r\n```ts\r\nconst a = 1\r\nreturn a.b.c\r\n```\r\n', 4],
  ] as const)
    scenario(`may stand between fences ${what}, and its lines keep their numbers`, {
      script: [program(code), 'Sorry.'],
      tools: () => [codeMode({ tools: [expenses], ...fixed })],
      check({ events }) {
        const { response } = eventsOf(events, 'tool-result')[0]!
        expect(response.content).toMatch(/^(Type|Reference)Error/)
        expect(response.content).toContain(`(line ${line})`)
      },
    })

  scenario('that does not catch a failed call says which one it was', {
    script: [program('return await tools.expenses({ person: 7 })'), 'Sorry.'],
    tools: () => [codeMode({ tools: [expenses], ...fixed })],
    check({ events }) {
      const { response } = eventsOf(events, 'tool-result').at(-1)!
      expect(response.content).toContain('ToolError: expenses (invalid-arguments): ')
    },
  })

  scenario('is told what JSON would lose of its result, and of what it gives to tools', {
    script: [
      program('return { by: { person: new Map([[1, 2]]) } }'),
      program('return { all: [new Set([1])] }'),
      program('return await tools.expenses({ person: new Map() }).catch((e) => e.message)'),
      program('return { total: 2n ** 64n }'),
      'Sorry.',
    ],
    tools: () => [codeMode({ tools: [expenses], ...fixed })],
    check({ events }) {
      const said = eventsOf(events, 'tool-result').map(({ response }) => response.content)
      expect(said).toHaveLength(4)
      expect(said[0]).toContain(
        '"person" is a Map, which JSON writes as {}; use Object.fromEntries(map)',
      )
      expect(said[1]).toContain('"0" is a Set, which JSON writes as {}; use [...set]')
      expect(said[2]).toContain('is a Map')
      expect(said[3]).toContain(
        '"total" is a BigInt, which JSON does not have; use Number(value), or String(value) if it is large',
      )
    },
  })

  for (const [code, line] of [
    ['import fs from "node:fs"\nreturn 1', 1],
    ['const a = 1\nexport default a', 2],
    ['\nreturn import.meta.url', 2],
  ] as const)
    scenario(`that takes itself for a module is told what it has instead: ${code}`, {
      script: [program(code), 'Sorry.'],
      tools: () => [codeMode({ tools: [expenses], ...fixed })],
      check({ events }) {
        const { response } = eventsOf(events, 'tool-result')[0]!
        expect(response.content).toContain(
          `SyntaxError: A program has no imports and exports: its tools are global, as in await tools.name(input), and there are no modules. (line ${line})`,
        )
      },
    })

  scenario('has a world without tools where there are none', {
    script: [program('return 1 + 1'), 'Two.'],
    tools: () => [codeMode({ tools: [], ...fixed })],
    check({ events }) {
      const { response } = eventsOf(events, 'tool-result').at(-1)!
      expect(response.content).toBe('{"result":2}')
    },
  })

  scenario('is ended when it was told more than its journal holds, results or none', {
    script: [program('for (let i = 0; i < 20; i++) await tools.nothing({})'), 'Sorry.'],
    tools: () => [
      codeMode({
        tools: [tool({ name: 'nothing', execute: () => {} })],
        limits: { journalBytes: 320 },
        ...fixed,
      }),
    ],
    check({ events }) {
      const results = eventsOf(events, 'tool-result').map(({ response }) => response)
      expect(results).toHaveLength(12)
      expect(results.at(-1)).toMatchObject({ isError: true })
      expect(results.at(-1)!.content).toContain('limits.journalBytes')
    },
  })

  const pay = (log: unknown[]) =>
    tool({
      name: 'pay',
      input: {
        type: 'object',
        properties: { person: { type: 'string' }, amount: { type: 'number' } },
        required: ['person', 'amount'],
      },
      approval: true,
      execute: ({ person, amount }: { person: string; amount: number }) =>
        void log.push(`${person} ${amount}`),
    })
  scenario('waits for approvals, all at once, and goes on where it was', {
    script: [
      program(`
        const all = await Promise.all(['Ada', 'Grace'].map((person) => tools.expenses({ person })))
        console.log('pays')
        const done = await Promise.allSettled(all.map(([{ person, amount }]) => tools.pay({ person, amount })))
        return done.map((each) => each.status === 'fulfilled' ? 'paid' : each.reason.code + ': ' + each.reason.message)
      `),
      'Done.',
    ],
    tools: ({ log }) => [codeMode({ tools: [expenses, pay(log)], ...fixed })],
    resume: [
      () => ({ 'call_1/3': { deny: 'too much' } }) as const,
      () => ({ 'call_1/2': { edit: { person: 'Ada', amount: 1 } } }) as const,
    ],
    check({ legs, result, log }) {
      expect(legs[0]!.result!.pending).toMatchObject([
        { callId: 'call_1/2', parentCallId: 'call_1', toolName: 'pay', line: 4, kind: 'approval' },
        { callId: 'call_1/3', parentCallId: 'call_1', toolName: 'pay', line: 4, kind: 'approval' },
      ])
      expect(legs[1]!.result!.pending).toMatchObject([{ callId: 'call_1/2' }])
      expect(log).toEqual(['Ada 1'])
      const written = legs.map((leg) => eventsOf(leg.events, 'tool-progress').length)
      expect(written).toEqual([1, 0, 0])
      const told = JSON.stringify(result.messages.at(-2))
      expect(told).toContain('paid')
      expect(told).toContain('denied: ')
      expect(told).toContain('too much')
      expect(told).toContain('was approved with other arguments')
    },
  })
})
