/** How a batch runs: side by side, answered in order, once, and only what was offered. */
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { Durability } from '../../ports/durability.ts'
import { idle } from '../patience.ts'
import {
  errorText,
  promptOf,
  responseOf,
  resultText,
  toolCall,
  type ManagerCase,
  type TrialBatch,
} from './manager-trial.ts'
import { Occupancy, OSLO, PARIS, recording, ROME } from './trial-tools.ts'

export const BATCH_CASES: readonly ManagerCase[] = [
  {
    name: 'the calls of a batch run at the same time',
    async check(trial) {
      const occupancy = new Occupancy()
      const tools = [recording('look', occupancy.stay)]
      const calls = ['a', 'b', 'c'].map((id) => toolCall(id, 'look', PARIS))
      await trial.execute(trial.manager(), { tools, calls })
      assert.equal(occupancy.most, 3, `At most ${occupancy.most} of 3 calls ran at a time.`)
    },
  },
  {
    name: 'at most limits.parallel calls run at the same time',
    async check(trial) {
      const occupancy = new Occupancy()
      const tools = [recording('look', occupancy.stay)]
      const calls = ['a', 'b', 'c', 'd', 'e'].map((id) => toolCall(id, 'look', PARIS))
      const result = await trial.execute(trial.manager({ limits: { parallel: 2 } }), {
        tools,
        calls,
      })
      assert.equal(occupancy.most, 2, `${occupancy.most} calls ran at a time; 2 are allowed.`)
      assert.equal(result.responses.length, 5, 'Not every call was answered.')
    },
  },
  {
    name: 'results come in the order of the calls, whatever is ready first',
    async check(trial) {
      const slow = recording('slow', async () => (await idle(), 'slow result'))
      const quick = recording('quick', () => 'quick result')
      const calls = [toolCall('a', 'slow', PARIS), toolCall('b', 'quick', PARIS)]
      const result = await trial.execute(trial.manager(), { tools: [slow, quick], calls })
      const ids = result.responses.map((response) => response.id)
      assert.deepEqual(ids, ['a', 'b'], 'The responses are not in call order.')
      assert.equal(resultText(result, 'a'), 'slow result')
      assert.equal(resultText(result, 'b'), 'quick result')
    },
  },
  {
    name: 'a batch makes one tool message, after the prompt and the assistant message',
    async check(trial) {
      const calls = [toolCall('a', 'look', PARIS), toolCall('b', 'look', ROME)]
      const batch = { tools: [recording('look')], calls }
      const result = await trial.execute(trial.manager(), batch)
      assert.deepEqual(
        result.conversationHistory,
        [
          ...promptOf(batch).messages,
          responseOf(batch).results[0]!.message,
          { role: 'tool', responses: result.responses },
        ],
        'The history is not prompt, assistant message, one tool message.',
      )
      assert.deepEqual(
        result.responses.map(({ id, name, isError }) => ({ id, name, isError })),
        [
          { id: 'a', name: 'look', isError: undefined },
          { id: 'b', name: 'look', isError: undefined },
        ],
      )
    },
  },
  {
    name: 'each call runs once',
    async check(trial) {
      const look = recording('look')
      const calls = [toolCall('a', 'look', PARIS), toolCall('b', 'look', ROME)]
      await trial.execute(trial.manager(), { tools: [look], calls })
      assert.deepEqual(look.ran, [PARIS, ROME], 'The executions are not one for each call.')
    },
  },
  {
    name: 'a tool that was not offered in this round is not run',
    async check(trial) {
      const hidden = recording('hidden')
      const resolver = { resolve: () => hidden, names: () => ['hidden'] }
      const calls = [toolCall('a', 'hidden', PARIS), toolCall('b', 'look', PARIS)]
      const batch = { tools: [recording('look')], calls }
      const result = await trial.execute(trial.manager({ resolver }), batch)
      assert.equal(hidden.ran.length, 0, 'A tool ran that was not offered.')
      errorText(result, 'a')
      resultText(result, 'b')
    },
  },
  {
    name: 'a tool offered by name is found by the resolver and run',
    async check(trial) {
      const named = recording('named')
      const resolve = (name: string) => (name === 'named' ? named : undefined)
      const calls = [toolCall('a', 'named', PARIS)]
      const batch = { tools: [], calls, options: { toolNames: ['named'] } }
      await trial.execute(trial.manager({ resolver: { resolve } }), batch)
      assert.equal(named.ran.length, 1, 'The named tool did not run.')
    },
  },
  {
    name: 'the definitions are those of the offered tools, in order',
    async check(trial) {
      const [look, named] = [recording('look'), recording('named')]
      const resolve = (name: string) => (name === 'named' ? named : undefined)
      const manager = trial.manager({ resolver: { resolve } })
      const offered = { tools: [look], toolNames: ['named'] }
      const work = manager.resolveToolDefinitions(offered)
      const definitions = await trial.settles(work, 'resolveToolDefinitions()')
      assert.deepEqual(definitions, [look.definition, named.definition])
      const unknown = manager.resolveToolDefinitions({ toolNames: ['nobody'] })
      assert.equal(await trial.code(unknown), 'unknown-tool-name')
    },
  },
  {
    name: 'a response without tool calls is an error of the caller',
    async check(trial) {
      const batch = { tools: [recording('look')], calls: [] }
      const code = await trial.code(trial.start(trial.manager(), batch))
      assert.equal(code, 'no-tool-call')
    },
  },
  {
    name: 'of several generations the first with tool calls counts',
    async check(trial) {
      const look = recording('look')
      const [first, second] = [toolCall('a', 'look', PARIS), toolCall('b', 'look', ROME)]
      const generations = [[], [first], [second]].flatMap(
        (calls) => responseOf({ tools: [], calls }).results,
      )
      const response = { results: generations, usage: {}, metadata: {} }
      const prompt = promptOf({ tools: [look], calls: [] })
      const result = await trial.settles(trial.manager().executeToolCalls(prompt, response))
      assert.deepEqual(look.ran, [PARIS])
      assert.equal(result.responses.length, 1)
    },
  },
  {
    name: 'the prompt and the response stay as they are',
    async check(trial) {
      const calls = [toolCall('a', 'look', PARIS)]
      const batch: TrialBatch = { tools: [recording('look')], calls }
      const [prompt, response] = [promptOf(batch), responseOf(batch)]
      const before = inspect([prompt.messages, response], { depth: Infinity })
      await trial.settles(trial.manager().executeToolCalls(prompt, response))
      const after = inspect([prompt.messages, response], { depth: Infinity })
      assert.equal(after, before, 'The manager changed what it was given.')
    },
  },
  {
    name: 'every call is announced when it starts and when its result is there',
    async check(trial) {
      const look = recording('look', ({ city }) => ({ city, sunny: true }))
      const calls = [toolCall('a', 'look', PARIS), toolCall('b', 'nobody')]
      await trial.execute(trial.manager(), { tools: [look], calls })
      assert.deepEqual(eventsOf(trial.events, 'a'), ['tool-execution-start', 'tool-result'])
      assert.deepEqual(eventsOf(trial.events, 'b'), ['tool-result'])
      const [start] = trial.events.filter((event) => event.type === 'tool-execution-start')
      assert.deepEqual(start?.input, PARIS, 'The start does not show the checked input.')
      const result = trial.events.find((event) => event.type === 'tool-result' && isOf(event, 'a'))
      const value = result?.type === 'tool-result' ? result.value : undefined
      assert.deepEqual(value, { city: 'Paris', sunny: true }, 'The value is not what was returned.')
    },
  },
  {
    name: 'what a tool yields and reports is progress, in order',
    async check(trial) {
      const counting = recording('look', async function* (_input, context) {
        yield 1
        context.progress(2)
        yield 3
        return 'counted'
      })
      const calls = [toolCall('a', 'look', PARIS)]
      const result = await trial.execute(trial.manager(), { tools: [counting], calls })
      const reports = trial.events.filter((event) => event.type === 'tool-progress')
      assert.deepEqual(
        reports.map((event) => event.progress),
        [1, 2, 3],
      )
      assert.equal(resultText(result, 'a'), 'counted')
    },
  },
  {
    name: 'calls of one lock key run one after another, also in different batches',
    async check(trial) {
      const occupancy = new Occupancy()
      const tools = [recording('pay', occupancy.stay, { lock: ({ city }) => city })]
      const calls = [toolCall('a', 'pay', PARIS), toolCall('b', 'pay', PARIS)]
      const manager = trial.manager()
      const batches = [
        trial.start(manager, { tools, calls }),
        trial.start(manager, { tools, calls }),
      ]
      await trial.settles(Promise.all(batches))
      assert.equal(occupancy.most, 1, `${occupancy.most} calls of one lock key ran at a time.`)
    },
  },
  {
    name: 'calls of different lock keys, and read-only ones, run side by side',
    async check(trial) {
      const lock = ({ city }: { readonly city: string }): string => city
      for (const [readOnly, cities] of [
        [false, [PARIS, ROME, OSLO]],
        [true, [PARIS, PARIS, PARIS]],
      ] as const) {
        const occupancy = new Occupancy()
        const tools = [recording('look', occupancy.stay, { lock, hints: { readOnly } })]
        const calls = cities.map((city, index) => toolCall(`call_${index}`, 'look', city))
        await trial.execute(trial.manager(), { tools, calls })
        assert.equal(occupancy.most, 3, `Only ${occupancy.most} of 3 calls ran at a time.`)
      }
    },
  },
  {
    name: 'return direct holds only if every call asks for it and none failed',
    async check(trial) {
      const direct = recording('direct', answerOrFail, { returnDirect: true })
      const plain = recording('plain')
      const outcome = async (...calls: TrialBatch['calls']): Promise<boolean> =>
        (await trial.execute(trial.manager(), { tools: [direct, plain], calls })).returnDirect
      const [paris, rome] = [toolCall('a', 'direct', PARIS), toolCall('b', 'direct', ROME)]
      assert.equal(await outcome(paris, rome), true, 'All are direct, and the batch is not.')
      const other = toolCall('c', 'plain', PARIS)
      assert.equal(await outcome(paris, other), false, 'A mixed batch is returned directly.')
      const failing = toolCall('d', 'direct', OSLO)
      assert.equal(await outcome(paris, failing), false, 'A failure is returned directly.')
      const unknown = toolCall('e', 'nobody')
      assert.equal(await outcome(paris, unknown), false, 'An unknown tool is returned directly.')
    },
  },
  {
    name: 'a call goes through durability, and one that is recorded is not run again',
    async check(trial) {
      const recorded = new Map<string, unknown>()
      const stepped: unknown[] = []
      const step: Durability['step'] = async (key, run, tool) => {
        if (tool) stepped.push([tool.callId, tool.toolName, tool.input])
        if (!recorded.has(key)) recorded.set(key, JSON.parse(JSON.stringify(await run())))
        return recorded.get(key) as never
      }
      const look = recording('look', answerOrFail)
      const calls = [toolCall('a', 'look', PARIS), toolCall('b', 'look', OSLO)]
      const manager = trial.manager({ durability: { step } })
      const first = await trial.execute(manager, { tools: [look], calls })
      const second = await trial.execute(manager, { tools: [look], calls })
      const once = calls.map(({ id, name, arguments: text }) => [id, name, JSON.parse(text)])
      assert.deepEqual(
        stepped,
        [...once, ...once],
        'Not every call went through a step of its own.',
      )
      assert.equal(look.ran.length, 2, 'A recorded call ran again.')
      assert.deepEqual(second.responses, first.responses, 'A replay gives other responses.')
    },
  },
]

function answerOrFail({ city }: { readonly city: string }): string {
  if (city === 'Oslo') throw new Error('No data for Oslo.')
  return `${city} is fine`
}

const eventsOf = (events: readonly ChatEvent[], id: string): readonly string[] =>
  events.filter((event) => isOf(event, id)).map((event) => event.type)

const isOf = (event: ChatEvent, id: string): boolean =>
  'toolCall' in event && event.toolCall.id === id
