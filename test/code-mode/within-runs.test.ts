/** Programs in runs that have more to do: other programs, clients as tools around and inside them, questions, deadlines, aborts, limits. */
import { quickJsSandbox } from '@toolwright/code-mode'
import { mcpTools, type McpTools } from '@toolwright/mcp'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  ChatClient,
  clientTool,
  tool,
  type RunResult,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { scenario, toldByTools, type Outcome } from '../e2e/scenario.ts'
import { rawServer } from '../mcp/servers.ts'
import { program, programs } from './ways.ts'

const inline = quickJsSandbox({ workers: 0 })
const pay = (log: unknown[]) =>
  tool({
    name: 'pay',
    input: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    approval: true,
    execute: ({ to }) => (log.push(to), `paid ${to}`),
  })
/** A client as a tool, whose model says this. */
const expert = (script: readonly ScriptedStep[], tools: readonly ToolSource[]): ToolCallback =>
  clientTool(ChatClient.create(scriptedModel(script), { tools, ids: countingIds() }), {
    name: 'expert',
    description: 'Knows',
  }) as ToolCallback
const resultsOf = ({ messages }: RunResult): readonly unknown[] =>
  messages.flatMap((message) =>
    message.role === 'tool' ? message.responses.map(({ content }) => content) : [],
  )
const waiting = ({ legs }: Outcome): unknown =>
  legs.map(({ result }) => result!.pending?.map(({ callId }) => callId))

describe('several programs in one answer', () => {
  const code = (to: string): string =>
    `console.log('for ${to}'); const paid = await tools.pay({ to: '${to}' }); return [paid, await tools.pay({ to: '${to} again' })]`
  const running = (id: string, to: string) => ({ name: 'runProgram', id, arguments: { code: code(to) } }) // prettier-ignore
  const both = { toolCalls: [running('p', 'Ada'), running('q', 'Bob')] }

  scenario('wait together; each goes on as it is decided about', {
    script: [both, 'Done.'],
    // In one thread, so that they take their turns in the same order each time.
    tools: ({ log }) => [programs([pay(log)], { sandbox: inline })],
    resume: [
      () => ({ 'q/0': 'approve' }),
      () => ({ 'p/0': { deny: 'Not Ada.' } }),
      () => ({ 'q/1': 'approve' }),
    ],
    check(outcome) {
      expect(waiting(outcome)).toEqual([['p/0', 'q/0'], ['p/0', 'q/1'], ['q/1'], undefined])
      expect(outcome.log).toEqual(['Bob', 'Bob again'])
      expect(resultsOf(outcome.result)).toEqual([
        expect.stringMatching(
          /^ToolError: pay \(denied\): .*Not Ada\..*\(line 1\)\nconsole:\nfor Ada$/,
        ),
        '{"result":["paid Bob","paid Bob again"],"console":["for Bob"]}',
      ])
    },
  })
})

describe('a client as a tool', () => {
  scenario('runs programs; what waits in them is asked of whoever runs it', {
    script: [
      { toolCalls: [{ name: 'expert', id: 'e', arguments: { prompt: 'Pay Ada' } }] },
      'Done.',
    ],
    tools: ({ log }) => [
      expert([program(`return tools.pay({ to: 'Ada' })`), 'Ada is paid.'], [programs([pay(log)])]),
    ],
    resume: [() => ({ e: { answer: { 'p/0': 'approve' } } })],
    check(outcome) {
      expect(outcome.legs[0]!.result!.pending).toMatchObject([
        { callId: 'e', kind: 'question', question: { pending: [{ callId: 'p/0', parentCallId: 'p', kind: 'approval' }] } }, // prettier-ignore
      ])
      expect(outcome.log).toEqual(['Ada'])
      expect(resultsOf(outcome.result)).toEqual(['Ada is paid.'])
    },
  })

  scenario('is called by programs; what it asks waits as a call of the program', {
    script: [
      program(`const said = await tools.expert({ prompt: 'Pay Ada' }); return [said, await tools.pay({ to: 'Bob' })]`), // prettier-ignore
      'Done.',
    ],
    tools: ({ log }) => [
      programs([
        expert([{ toolCalls: [{ name: 'pay', id: 'i', arguments: { to: 'Ada' } }] }, 'Ada is paid.'], [pay(log)]), // prettier-ignore
        pay(log),
      ]),
    ],
    resume: [() => ({ 'p/0': { answer: { i: 'approve' } } }), () => ({ 'p/1': 'approve' })],
    check(outcome) {
      expect(waiting(outcome)).toEqual([['p/0'], ['p/1'], undefined])
      expect(outcome.legs[0]!.result!.pending).toMatchObject([
        { kind: 'question', parentCallId: 'p', question: { pending: [{ callId: 'i' }] } },
      ])
      expect(outcome.log).toEqual(['Ada', 'Bob'])
      expect(resultsOf(outcome.result)).toEqual(['{"result":["Ada is paid.","paid Bob"]}'])
    },
  })
})

describe('an MCP server that asks in the midst of a call', () => {
  const open: McpTools[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((tools) => tools.close()))
  })

  // What it keeps of a question is another text each time, so the two runs are not compared.
  for (const mode of ['call', 'stream'] as const)
    it(`has its question wait as a call of the program, and its answer (${mode})`, async () => {
      const tools = mcpTools(rawServer('asks'), { name: 'shop', trust: 'trusted', timeoutMs: 20_000 }) // prettier-ignore
      open.push(tools)
      const code = `return [await tools.write({ words: 'hi' }), 'after']`
      const client = ChatClient.create(scriptedModel([program(code), 'Done.']), {
        tools: [programs([tools])],
      })
      const { state, pending } = await client.prompt('Go')[mode]().result()
      expect(pending).toMatchObject([
        { callId: 'p/0', parentCallId: 'p', kind: 'question', question: { server: 'shop', message: 'Which size?' } }, // prettier-ignore
      ])
      const resumed = client.resume(state!, { 'p/0': { answer: { size: 3 } } })
      const [content] = resultsOf(await resumed[mode]().result())
      expect(content).toMatch(/^\{"result":\[.*size.*3.*,"after"\]\}$/)
    })
})

describe('a run that ends while a program is at it', () => {
  const slow = (log: unknown[]) =>
    tool({
      name: 'slow',
      timeoutMs: 'unlimited',
      execute: (_input, { signal }) =>
        new Promise(() => signal.addEventListener('abort', () => void log.push('told'))),
    })

  const single = quickJsSandbox({ warm: 0, workers: 1 })
  afterAll(() => single.close())

  scenario('by its own time, tells the call that the program waits for', {
    script: [program('return tools.slow().catch(() => "caught")'), 'Never asked.'],
    client: () => ({ limits: { runTimeoutMs: 500 } }),
    tools: ({ log }) => [programs([slow(log)])],
    async during({ clock }) {
      while (clock.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      await new Promise((resolve) => setTimeout(resolve, 100))
      await clock.advance(1000)
    },
    check({ result, log, prompts }) {
      expect(result.status).toBe('limit')
      expect(log).toEqual(['told'])
      expect(prompts).toHaveLength(1)
    },
  })

  scenario('by an abort, stops it in the midst of computing', {
    script: [program('for (;;);'), 'Never asked.'],
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: () => [programs([], { sandbox: single, limits: { fuel: 2 ** 31 - 1, turnMs: 600_000 } })], // prettier-ignore
    async during({ abort }) {
      await new Promise((resolve) => setTimeout(resolve, 300))
      abort.abort(new Error('Enough.'))
    },
    async check({ error, prompts }) {
      expect(error).toMatchObject({ message: 'Enough.' })
      expect(prompts).toHaveLength(1)
      // Its thread is free again.
      const client = ChatClient.create(scriptedModel([program('return 1'), 'Done.']), {
        tools: [programs([], { sandbox: single })],
      })
      expect(resultsOf(await client.prompt('Go').call().result())).toEqual(['{"result":1}'])
    },
  })
})

describe('limits of one program', () => {
  const echo = tool({
    name: 'echo',
    input: { type: 'object', properties: { s: { type: 'string' } } },
    execute: ({ s = '' }) => s + s,
  })
  const CASES: readonly (readonly [object, string, string | RegExp])[] = [
    [{ codeBytes: 20 }, 'return 1 // and more of it', /longer than 20 bytes \(limits\.codeBytes\)/],
    [{ codeBytes: 20 }, 'return "ééééééé"', /limits\.codeBytes/],
    [{ codeBytes: 20 }, 'return "a fine one"', '{"result":"a fine one"}'],
    [{ valueBytes: 50 }, 'return "x".repeat(49)', /is longer than 50 bytes \(limits\.valueBytes\)/],
    [{ valueBytes: 200 }, 'return tools.echo({ s: "x".repeat(200) }).catch(({ code, message }) => code + message)', /"limit.*input.*limits\.valueBytes/], // prettier-ignore
    [{ valueBytes: 200 }, 'return tools.echo({ s: "x".repeat(150) }).catch(({ code, message }) => code + message)', /"limit.*result.*limits\.valueBytes/], // prettier-ignore
    [{ consoleBytes: 60 }, 'console.log("x".repeat(90)); return 1', /^\{"result":1,"console":\["x{56}…",".*takes 60 bytes.*limits\.consoleBytes.*"\]\}$/], // prettier-ignore
    [{ fuel: 20 }, 'for (;;);', /limits\.fuel/],
    [{ turnMs: 50, fuel: 2 ** 31 - 1 }, 'for (;;);', /limits\.turnMs/],
    [{ openCalls: 1 }, 'return (await Promise.allSettled([tools.echo({}), tools.echo({})])).map(({ status }) => status)', '{"result":["fulfilled","rejected"]}'], // prettier-ignore
    [{ openCalls: 1 }, 'tools.echo({}); return tools.echo({}).catch(({ code, message }) => code + message)', /"limit.*limits\.openCalls/], // prettier-ignore
    [{ memoryBytes: 2 ** 20 }, 'return "x".repeat(2e6).length', /out of memory/],
    [{ stackBytes: 16 * 1024 }, 'let n = 0; const f = () => { n++; f() }; try { f() } catch {} return n < 500', '{"result":true}'], // prettier-ignore
  ]
  for (const [limits, code, told] of CASES)
    scenario(`${Object.keys(limits)[0]} holds, as given: ${code.slice(0, 40)}`, {
      script: [program(code), 'Done.'],
      tools: () => [programs([echo], { limits })],
      check({ prompts, result }) {
        const [{ content }] = toldByTools(prompts.at(-1)) as [{ content: string }]
        if (typeof told === 'string') expect(content).toBe(told)
        else expect(content).toMatch(told)
        expect(result.status).toBe('done')
      },
    })
})
