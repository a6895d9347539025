/** When a program has ended: with its promise and every call it made; and what the model is told of the calls it left. */
import { describe, expect } from 'vitest'
import { tool } from 'toolwright'
import { eventsOf, scenario, toldByTools, type Outcome } from '../e2e/scenario.ts'
import { program, programs } from './ways.ts'

const toldOf = ({ prompts }: Outcome): { readonly content: string; readonly isError?: boolean } =>
  toldByTools(prompts.at(-1))[0] as { content: string }

const broken = tool({ name: 'broken', execute: () => Promise.reject(new Error('No luck.')) })
/** After everything that is there at once. */
const late = (name: string, result: string) =>
  tool({ name, execute: () => new Promise<string>((resolve) => setTimeout(resolve, 30, result)) })
const pay = (log: unknown[]) =>
  tool({ name: 'pay', approval: true, execute: () => (log.push('paid'), 'receipt') })

describe('calls that a program does not wait for', () => {
  scenario('have settled before its answer is given', {
    script: [program('tools.slow(); return "early"'), 'Done.'],
    tools: ({ log }) => [
      programs([
        tool({
          name: 'slow',
          async execute() {
            for (let turn = 0; turn < 200; turn++) await Promise.resolve()
            log.push('ended')
          },
        }),
      ]),
    ],
    check(outcome) {
      expect(outcome.log).toEqual(['ended'])
      expect(eventsOf(outcome.events, 'tool-result').map(({ toolCall }) => toolCall.id)).toEqual(['p/0', 'p']) // prettier-ignore
      expect(JSON.parse(toldOf(outcome).content)).toEqual({ result: 'early' })
    },
  })

  scenario('are listed for the model if they failed', {
    script: [program('tools.broken()\n\nvoid tools.nobody?.()\nreturn 1'), 'Done.'],
    tools: () => [programs([broken])],
    check(outcome) {
      const { result, failedCalls } = JSON.parse(toldOf(outcome).content) as { result: unknown; failedCalls: string[] } // prettier-ignore
      expect(result).toBe(1)
      expect(failedCalls.join()).toContain('No luck.')
      expect(failedCalls.join()).toContain('(line 1)')
    },
  })

  scenario('are not listed if the program has caught that they failed', {
    script: [program('tools.broken().catch(() => {})\nreturn 1'), 'Done.'],
    tools: () => [programs([broken])],
    check: (outcome) => expect(JSON.parse(toldOf(outcome).content)).toEqual({ result: 1 }),
  })

  const NOTHING = 'The program returned nothing: return what you want to read.'
  const early = (calls: string, first: string): string =>
    `The program returned before it had the results of its calls: ${calls}. Write await before a call, as in await ${first}(…), and return await before a function of yours that makes calls.`
  for (const [what, code, note] of [
    ['whose result is read at once', 'return tools.slow().amount', early('tools.slow (line 1)', 'tools.slow')], // prettier-ignore
    ['of a function that is not awaited', 'async function main() {\n  return (await tools.slow()).amount\n}\nmain()', early('tools.slow (line 2)', 'tools.slow')], // prettier-ignore
    ['with odd names, and many', 'for (const name of ["a-b", "slow", "slow", "slow", "slow"]) callTool(name)', early('tools["a-b"] (line 1), tools.slow (line 1), tools.slow (line 1) and 2 more', 'tools["a-b"]')], // prettier-ignore
  ] as const)
    scenario(`are named if it returned nothing: ${what}`, {
      script: [program(code), 'Done.'],
      tools: () => [programs([late('slow', 'late'), late('a-b', 'late')])],
      check(outcome) {
        expect(JSON.parse(toldOf(outcome).content)).toEqual({
          result: null,
          notes: [NOTHING, note],
        })
      },
    })

  scenario('are named after a suspension as before it, and not those that were awaited', {
    script: [program('await tools.slow()\ntools.pay()\ntools.pay()'), 'Done.'],
    tools: ({ log }) => [programs([late('slow', 'late'), pay(log)])],
    resume: [() => ({ 'p/2': 'approve' }), () => ({ 'p/1': 'approve' })],
    check(outcome) {
      const { notes } = JSON.parse(toldOf(outcome).content) as { notes: string[] }
      expect(notes).toEqual([NOTHING, early('tools.pay (line 2), tools.pay (line 3)', 'tools.pay')])
    },
  })

  scenario('suspend the run if somebody has to approve them', {
    script: [program('tools.pay(); return "early"'), 'Done.'],
    tools: ({ log }) => [programs([pay(log)])],
    resume: [() => ({ 'p/0': 'approve' })],
    check(outcome) {
      const { legs, log } = outcome
      expect(legs[0]!.result!.pending).toMatchObject([{ callId: 'p/0', kind: 'approval' }])
      expect(legs[0]!.result!.status).toBe('suspended')
      expect(log).toEqual(['paid'])
      expect(JSON.parse(toldOf(outcome).content)).toEqual({ result: 'early' })
    },
  })

  scenario('suspend it also where the program has thrown; what it did is then told', {
    script: [program('tools.pay(); throw new RangeError("no")'), 'Done.'],
    tools: ({ log }) => [programs([pay(log)])],
    resume: [() => ({ 'p/0': 'approve' })],
    check(outcome) {
      expect(outcome.legs[0]!.result!.status).toBe('suspended')
      expect(outcome.log).toEqual(['paid'])
      expect(toldOf(outcome)).toMatchObject({ isError: true })
      expect(toldOf(outcome).content).toContain('RangeError: no')
    },
  })

  scenario('are told beside the reason where the program fails', {
    script: [program('tools.broken(); console.log("begun"); await null\nthrow new RangeError("no")'), 'Done.'], // prettier-ignore
    tools: () => [programs([broken])],
    check: (outcome) =>
      expect(toldOf(outcome)).toEqual({
        isError: true,
        content:
          'RangeError: no (line 2)\nfailed calls:\nToolError: broken (failed): No luck. (line 1)\nconsole:\nbegun',
      }),
  })

  scenario('are told also where it waits for something that never happens', {
    script: [program('tools.broken(); await new Promise(() => {})'), 'Done.'],
    tools: () => [programs([broken])],
    check(outcome) {
      const { content } = toldOf(outcome)
      expect(content).toContain('never happens')
      expect(content).toContain('\nfailed calls:\nToolError: broken (failed): No luck. (line 1)')
    },
  })

  scenario('are told also where it is told more than it may be, or is stopped', {
    script: [
      program('tools.broken(); tools.long(); return 1', 'long'),
      program('tools.broken(); tools.look().then(() => { for (;;); }); return 1', 'spin'),
      'Done.',
    ],
    tools: () => [
      programs([broken, late('look', 'seen'), late('long', 'x'.repeat(3000))], {
        limits: { journalBytes: 2000, fuel: 100 },
      }),
    ],
    check({ result }) {
      const told = result.messages.flatMap((message) => message.role === 'tool' ? message.responses : []) // prettier-ignore
      expect(told.map(({ content }) => content)).toEqual([
        expect.stringMatching(/limits\.journalBytes.*\nfailed calls:\nToolError: broken/),
        expect.stringMatching(/limits\.fuel.*\nfailed calls:\nToolError: broken/),
      ])
    },
  })

  scenario('are listed if they were denied', {
    script: [program('tools.pay(); return "early"'), 'Done.'],
    tools: ({ log }) => [programs([pay(log)])],
    resume: [() => ({ 'p/0': { deny: 'too much' } })],
    check(outcome) {
      const { failedCalls } = JSON.parse(toldOf(outcome).content) as { failedCalls: string[] }
      expect(failedCalls.join()).toContain('too much')
      expect(outcome.log).toEqual([])
    },
  })
})

describe('a call that was approved with other arguments', () => {
  const charge = (log: unknown[]) =>
    tool({
      name: 'charge',
      input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
      approval: true,
      execute: ({ amount }) => (log.push(amount), Promise.reject(new Error('No cover.'))),
    })
  const NOTE = 'Call 0, of charge, was approved with other arguments: {"amount":5}'

  scenario('is noted also if it failed', {
    script: [program('return tools.charge({ amount: 900 }).catch(({ code }) => code)'), 'Done.'],
    tools: ({ log }) => [programs([charge(log)])],
    resume: [() => ({ 'p/0': { edit: { amount: 5 } } })],
    check(outcome) {
      expect(outcome.log).toEqual([5])
      expect(JSON.parse(toldOf(outcome).content)).toEqual({ result: 'failed', notes: [NOTE] })
    },
  })

  scenario('is noted also if the program failed', {
    script: [
      program('await tools.charge({ amount: 900 }).catch(() => {})\nthrow new RangeError("no")'),
      'Done.',
    ],
    tools: ({ log }) => [programs([charge(log)])],
    resume: [() => ({ 'p/0': { edit: { amount: 5 } } })],
    check: (outcome) =>
      expect(toldOf(outcome)).toEqual({
        isError: true,
        content: `RangeError: no (line 2)\nnotes:\n${NOTE}`,
      }),
  })
})

describe('a program that never settles', () => {
  for (const [what, code] of Object.entries({
    'by itself': 'await new Promise(() => {})',
    'after a call': 'await tools.look(); await new Promise(() => {})',
    'beside a call that it does not wait for': 'tools.look(); await new Promise(() => {})',
  }))
    scenario(`${what}: is an error at once`, {
      script: [program(code), 'Done.'],
      tools: () => [programs([tool({ name: 'look', execute: () => 'seen' })])],
      check(outcome) {
        expect(toldOf(outcome)).toMatchObject({ isError: true })
        expect(toldOf(outcome).content).toContain('waits for something that never happens')
      },
    })

  scenario('while a call of it waits: is suspended, and an error when that was decided', {
    script: [program('tools.pay(); await new Promise(() => {})'), 'Done.'],
    tools: ({ log }) => [programs([pay(log)])],
    resume: [() => ({ 'p/0': 'approve' })],
    check(outcome) {
      expect(outcome.log).toEqual(['paid'])
      expect(toldOf(outcome).content).toContain('waits for something that never happens')
    },
  })
})

describe('what a program cannot do', () => {
  scenario('call itself', {
    script: [program('return tools.runProgram({ code: "1" })'), 'Done.'],
    tools: () => [programs([tool({ name: 'look', execute: () => 'seen' })])],
    check: (outcome) => expect(toldOf(outcome)).toMatchObject({ isError: true }),
  })

  scenario('call what is offered to the model only', {
    script: [program('return callTool("direct", {}).catch(({ code }) => code)'), 'Done.'],
    tools: ({ log }) => [
      programs([tool({ name: 'look', execute: () => 'seen' })]),
      tool({ name: 'direct', execute: () => log.push('ran') }),
    ],
    check(outcome) {
      expect(outcome.log).toEqual([])
      expect(JSON.parse(toldOf(outcome).content)).toEqual({ result: 'unknown-tool' })
    },
  })

  const counted = (log: unknown[], limits = {}) =>
    programs([tool({ name: 'pay', execute: () => void log.push('paid') })], { limits })

  scenario('catch its way past a limit of the run', {
    script: [program('for (;;) await tools.pay({}).catch(() => {})'), 'Never asked.'],
    tools: ({ log }) => [counted(log, { journalBytes: 4000 })],
    client: () => ({ limits: { callsPerTool: 3 } }),
    check({ log, result, prompts }) {
      expect(log).toEqual(['paid', 'paid', 'paid'])
      expect(result.status).toBe('limit')
      expect(prompts).toHaveLength(1)
    },
  })

  scenario('make more calls than the run allows, though it goes on and is read', {
    script: [
      program('let n = 0\nwhile (n++ < 9) await tools.pay({}).catch(() => {})\nreturn "went on"'),
      'Done.',
    ],
    tools: ({ log }) => [counted(log)],
    client: () => ({ limits: { callsPerTool: 3 }, onLimit: 'tell-model' }),
    check(outcome) {
      expect(outcome.log).toEqual(['paid', 'paid', 'paid'])
      expect(JSON.parse(toldOf(outcome).content)).toEqual({ result: 'went on' })
    },
  })

  scenario('send arguments that are larger than the run allows', {
    script: [
      program(
        'return tools.pay({ why: "x".repeat(3000) }).catch(({ code, message }) => code + ": " + message)',
      ),
      'Done.',
    ],
    tools: ({ log }) => [programs([tool({ name: 'pay', input: { type: 'object', properties: { why: { type: 'string' } } }, execute: () => log.push('paid') })])], // prettier-ignore
    client: () => ({ limits: { argumentBytes: 1000 } }),
    check(outcome) {
      expect(outcome.log).toEqual([])
      expect(toldOf(outcome).content).toContain('invalid-arguments')
      expect(toldOf(outcome).content).toContain('larger than 1000 bytes')
    },
  })
})
