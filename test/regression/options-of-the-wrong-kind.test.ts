/** An option of the wrong kind is refused where it is given, and the error says what it takes. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  chatMemoryAdvisor,
  consoleLogger,
  inMemoryRunStore,
  loggingAdvisor,
  messageWindowMemory,
  ORDER,
  retryAdvisor,
  tool,
  toolCallingAdvisor,
  toolCallingManager,
  withToolExecution,
} from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'

type Make = (options: never) => unknown
type Row = readonly [option: string, value: unknown, takes: string]

const model = scriptedModel([{ text: 'Hello' }])
const client: Make = (options) => ChatClient.create(model, options)
const request = (): ReturnType<ChatClient['prompt']> => ChatClient.create(model).prompt('Hi')

const METHODS = 'an object with '
const LOGGER = `${METHODS}debug(), info(), warn(), error()`

const ofManager: readonly Row[] = [
  ['clock', 5, `${METHODS}now(), monotonic(), timer()`],
  ['clock', { now: () => 0 }, `${METHODS}now(), monotonic(), timer()`],
  ['random', 5, `${METHODS}next(), bytes()`],
  ['random', Math.random, `${METHODS}next(), bytes()`],
  ['ids', 5, `${METHODS}next()`],
  ['observer', 5, `${METHODS}start()`],
  ['observer', null, `${METHODS}start()`],
  ['runStore', 5, `${METHODS}use()`],
  ['durability', 5, `${METHODS}step()`],
  ['resolver', 5, `${METHODS}resolve()`],
  ['logger', 5, LOGGER],
  ['logger', {}, LOGGER],
  ['logger', 'x', LOGGER],
  ['logger', 'debug', LOGGER],
  ['logger', true, LOGGER],
  ['policy', 5, 'a function'],
  ['exceptionProcessor', 5, 'a function'],
  ['exceptionProcessor', {}, 'a function'],
  ['throwOnError', 'x', 'true or false'],
  ['rethrow', 5, 'a list of error classes'],
  ['rethrow', TypeError, 'a list of error classes'],
  ['rethrow', ['TypeError'], 'a list of error classes'],
  ['onLimit', 'explode', "'stop' or 'throw' or 'tell-model'"],
]

const ofClient: readonly Row[] = [
  ...ofManager,
  ['system', 5, 'a text'],
  ['system', ['Be brief.'], 'a text'],
  ['toolContext', 5, 'an object'],
  ['toolContext', [], 'an object'],
  ['toolCalling', 'x', 'true, false or an object with settings of the loop'],
  ['toolCalling', null, 'true, false or an object with settings of the loop'],
  ['toolNames', 'weather', 'a list of texts'],
  ['advisors', 5, 'a list of advisors'],
  ['advisors', loggingAdvisor(), 'a list of advisors'],
  ['advisors', [null], 'a list of advisors'],
]

const ofLoop: readonly Row[] = [
  ['order', 'first', 'a finite number'],
  ['stopWhen', 3, 'a function'],
  ['eligible', true, 'a function'],
  ['beforeRound', {}, 'a function'],
  ['conversationHistory', 'no', 'true or false'],
]

const ofTool: readonly Row[] = [
  ['name', '', 'a non-empty text'],
  ['name', 5, 'a non-empty text'],
  ['description', 5, 'a text'],
  ['title', 5, 'a text'],
  ['returnDirect', 'x', 'true or false'],
  ['execute', 'x', 'a function'],
  ['lock', 'account', 'a function'],
  ['preview', {}, 'a function'],
  ['resultConverter', 'json', 'a function'],
  ['approval', 'yes', 'true, false or a function'],
  ['effect', 'twice', "'read' or 'idempotent' or 'keyed' or 'once'"],
  ['needs', 'history', "['history']"],
  ['needs', ['histroy'], "['history']"],
  ['examples', 'What is the weather?', 'a list of texts'],
  ['inputExamples', {}, 'a list of inputs'],
  ['providerOptions', { openai: 5 }, 'an object with a key for each provider'],
]

const ofLabels: readonly Row[] = [
  ['reads', 'secret', "'private'"],
  ['emits', 'maybe', "'trusted' or 'untrusted'"],
  ['sends', 'yes', 'true or false'],
]

const makers: readonly (readonly [where: string, Make, readonly Row[]])[] = [
  ['ChatClient.create()', client, ofClient],
  ['ChatClient.create()', (options) => ChatClient.create(model).with(options), ofClient],
  ['toolCallingManager()', toolCallingManager as Make, ofManager],
  [
    'withToolExecution()',
    (options) => withToolExecution(model, options),
    [...ofManager, ['eligible', true, 'a function']],
  ],
  ['toolCallingAdvisor()', toolCallingAdvisor as Make, ofLoop],
  ['toolCallingAdvisor()', (toolCalling) => ChatClient.create(model, { toolCalling }), ofLoop],
  ['tool("a")', (options: object) => tool({ name: 'a', ...options }), ofTool.slice(2)],
  ['tool(', tool as Make, ofTool.slice(0, 2)],
  ['tool("a").labels', (labels) => tool({ name: 'a', labels }), ofLabels],
  ['tool("a").hints', (hints) => tool({ name: 'a', hints }), [['readOnly', 'yes', 'true or false']]],
  ['loggingAdvisor()', loggingAdvisor as Make, [['logger', {}, LOGGER], ['order', '1', 'a finite number']]],
  ['retryAdvisor()', retryAdvisor as Make, [['clock', 5, `${METHODS}now()`], ['random', 5, `${METHODS}next()`], ['retryIf', true, 'a function']]],
  ['chatMemoryAdvisor()', (options) => chatMemoryAdvisor(messageWindowMemory(), options), [['order', 'x', 'a finite number'], ['storeToolExchange', 1, 'true or false']]],
  ['chatMemoryAdvisor()', ({ memory }: { memory: never }) => chatMemoryAdvisor(memory), [['memory', 5, `${METHODS}add(), get()`], ['memory', {}, `${METHODS}add(), get()`], ['memory', undefined, `${METHODS}add(), get()`]]],
  ['.signal()', ({ signal }: { signal: never }) => request().signal(signal), [['signal', 5, 'an AbortSignal'], ['signal', new AbortController(), 'an AbortSignal']]],
  ['.toolContext()', ({ toolContext }: { toolContext: never }) => request().toolContext(toolContext), [['toolContext', 5, 'an object']]],
  ['.toolCalling()', ({ toolCalling }: { toolCalling: never }) => request().toolCalling(toolCalling), [['toolCalling', 'x', 'true, false or an object']]],
] // prettier-ignore

describe.each(makers)('%s refuses', (where, make, rows) => {
  const code = where.startsWith('tool(') ? 'invalid-tool' : 'invalid-option'
  it.each(rows)('%s: %j', (option, value, takes) => {
    const made = (): unknown => make({ [option]: value } as never)
    expect(made).toThrow(expect.objectContaining({ name: 'ConfigurationError', code }))
    expect(made).toThrow(where)
    expect(made).toThrow(new RegExp(`: ${option} is .+; it takes `))
    expect(made).toThrow(takes)
  })
})

describe('a limit that counts', () => {
  const counting = ['rounds', 'callsPerTool', 'callsTotal', 'identicalCalls', 'parallel', 'argumentBytes', 'resultBytes'] // prettier-ignore
  it.each(counting)('is whole: %s', (limit) => {
    const message = `limits.${limit} is 1.5; it takes a whole number of at least 1, or 'unlimited'.`
    expect(() => ChatClient.create(model, { limits: { [limit]: 1.5 } })).toThrow(message)
    expect(() => request().limits({ [limit]: 1.5 })).toThrow(message)
  })

  it('is no time', () => {
    const limits = { toolTimeoutMs: 1.5, runTimeoutMs: 2.5, rounds: 'unlimited' } as const
    expect(() => ChatClient.create(model, { limits })).not.toThrow()
    expect(() => tool({ name: 'a', timeoutMs: 1.5 })).not.toThrow()
  })
})

it('a secret that is too short is not repeated', () => {
  expect(() => ChatClient.create(model, { stateSecret: 'hunter2' })).not.toThrow('hunter2')
  expect(() => ChatClient.create(model, { stateSecret: 'hunter2' })).toThrow(
    'stateSecret is a text',
  )
})

describe('taken are', () => {
  class Port {
    now = (): number => 0
    monotonic(): number {
      return 0
    }
    timer(): () => void {
      return () => {}
    }
    next(): never {
      return 'x' as never
    }
    bytes(): Uint8Array {
      return new Uint8Array(32)
    }
    start(): void {}
    async use(): Promise<boolean> {
      return true
    }
    resolve(): undefined {}
    debug(): void {}
    info(): void {}
    warn(): void {}
    error(): void {}
    async step(_key: string, run: () => Promise<never>): Promise<never> {
      return run()
    }
  }
  class Inheriting extends Port {}
  const ports = [
    'clock',
    'random',
    'ids',
    'observer',
    'runStore',
    'resolver',
    'logger',
    'durability',
  ]

  it.each(ports)('methods of a class, as %s', (option) => {
    expect(() => client({ [option]: new Inheriting() } as never)).not.toThrow()
  })

  it.each([...new Set(ofClient.map(([option]) => option))])('undefined, as %s', (option) => {
    expect(() => client({ [option]: undefined } as never)).not.toThrow()
  })

  it.each([...new Set(ofTool.slice(2).map(([option]) => option))])(
    'undefined, as %s of a tool',
    (option) => {
      expect(() => tool({ name: 'a', [option]: undefined })).not.toThrow()
    },
  )

  const sound: readonly (readonly [string, object])[] = [
    ['the console', { logger: console }],
    ['no logger', { logger: false }],
    ['a console logger', { logger: consoleLogger({ level: 'error' }) }],
    ['the ports of the library', { clock: manualClock(), runStore: inMemoryRunStore() }],
    ['functions of any arity', { policy: () => 'allow', exceptionProcessor: () => '' }],
    ['classes of errors', { rethrow: [TypeError, class Own extends Error {}] }],
    ['a loop', { toolCalling: true }],
    ['no loop', { toolCalling: false }],
    ['a loop with settings', { toolCalling: { order: ORDER.toolCalling, stopWhen: () => false } }],
    ['an instance as context', { toolContext: new Inheriting() }],
    ['advisors at the ends', { advisors: [loggingAdvisor({ order: ORDER.first }), retryAdvisor({ order: ORDER.last })] }],
  ] // prettier-ignore
  it.each(sound)('%s', (_what, options) => {
    expect(() => client(options as never)).not.toThrow()
  })

  it('a signal, or none', () => {
    expect(() => request().signal(AbortSignal.timeout(1000))).not.toThrow()
    expect(() => request().signal(undefined as never)).not.toThrow()
  })
})
