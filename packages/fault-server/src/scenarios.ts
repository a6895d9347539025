/**
 * The 66 scenarios: what providers, gateways, models and tools really do wrong, one at a time. Every
 * scenario has a form in each dialect, streamed and whole, and says what a sound client makes of it, so
 * that a verdict needs no opinion. The tools are `effect({ n: number, s?: string })` and `ping()`.
 */
import { BROKEN_BYTE } from './reply.ts'
import type {
  FaultEffect,
  FaultExpectation,
  FaultScenario,
  FaultStep,
  FaultToolCall,
  FaultTurn,
} from './scenario.ts'

/** The text of the last turn of every scenario that has one. */
export const FAULT_ANSWER = 'All done ✓ größer als 東京 🎉'
/** What the tool of `tool-throws-secret` puts into its error. */
export const FAULT_SECRET = 'sk-test-4f9a1c77d02b8e63'
/** How many model calls the endless loop is allowed; the client under test is given this limit. */
export const FAULT_ROUNDS = 6

const MEGABYTE = 1_048_576
const done: FaultTurn = { text: ['All done ✓ ', 'größer als ', '東京 🎉'] }

const effectCall: FaultToolCall = {
  name: 'effect',
  arguments: ['{"n":', '1,"s":"gr', 'ün 🎉"}'],
}
const effect = (input: unknown): FaultEffect => ({ tool: 'effect', input })
const GREEN = effect({ n: 1, s: 'grün 🎉' })

const callTurn: FaultTurn = {
  reasoning: 'The user wants the effect.',
  text: ['Let me ', 'do that. '],
  toolCalls: [effectCall],
}
const withArguments = (...pieces: readonly string[]): FaultTurn => ({
  toolCalls: [{ name: 'effect', arguments: pieces }],
})

const answered = (...effects: readonly FaultEffect[]): FaultExpectation => ({
  outcome: 'answer',
  effects,
})
const failed = (...codes: readonly string[]): FaultExpectation => ({
  outcome: 'error',
  codes,
  effects: [],
})
const CUT = ['incomplete-stream', 'invalid-response', 'provider-unreachable'] as const

/** A turn with a tool call, then the answer. */
function scenario(
  name: string,
  first: FaultStep,
  rest: Omit<FaultScenario, 'name' | 'script'>,
): FaultScenario {
  return { name, script: [first, done], ...rest }
}

const framing: readonly FaultScenario[] = [
  scenario('base', callTurn, { expect: answered(GREEN) }),
  scenario(
    'crlf',
    { ...callTurn, framing: { newline: '\r\n' } },
    {
      expect: answered(GREEN),
    },
  ),
  scenario(
    'cr-only',
    { ...callTurn, framing: { newline: '\r' } },
    {
      expect: answered(GREEN),
    },
  ),
  scenario(
    'one-byte-chunks',
    { ...callTurn, framing: { bytesPerChunk: 1 } },
    {
      expect: answered(GREEN),
    },
  ),
  scenario(
    'bom-comments-no-space',
    { ...callTurn, framing: { byteOrderMark: true, comments: true, withoutSpace: true } },
    { expect: answered(GREEN) },
  ),
  scenario(
    'no-end-marker',
    { ...callTurn, ending: 'no-end-marker' },
    {
      expect: answered(GREEN),
    },
  ),
  scenario(
    'mixed-newlines',
    { ...callTurn, framing: { newline: 'mixed' } },
    { expect: answered(GREEN) },
  ),
  scenario(
    'crlf-one-byte-chunks',
    { ...callTurn, framing: { newline: '\r\n', bytesPerChunk: 1 } },
    { expect: answered(GREEN) },
  ),
  scenario(
    'more-fields-and-lines',
    { ...callTurn, framing: { fields: true } },
    { expect: answered(GREEN) },
  ),
  scenario(
    'byte-that-is-no-utf8',
    { ...callTurn, text: [`Let me ${BROKEN_BYTE} do that. `] },
    { expect: answered(GREEN) },
  ),
  scenario(
    'tiny-events-in-one-chunk',
    {
      ...callTurn,
      text: Array.from({ length: 5000 }, () => 'x'),
      framing: { bytesPerChunk: Infinity },
    },
    { expect: answered(GREEN) },
  ),
  scenario(
    'content-type-plain',
    { ...callTurn, contentType: 'text/plain; charset=latin1' },
    { expect: answered(GREEN) },
  ),
]

const assembly: readonly FaultScenario[] = [
  scenario(
    'index-gap',
    {
      toolCalls: [
        { ...effectCall, index: 1 },
        { name: 'ping', arguments: ['{}'], index: 3 },
      ],
    },
    { expect: answered(GREEN, { tool: 'ping', input: {} }) },
  ),
  scenario(
    'blank-continuation-ids',
    { ...callTurn, blankContinuationIds: true },
    {
      expect: answered(GREEN),
    },
  ),
  scenario('finish-stop-with-calls', { ...callTurn, finish: 'stop' }, { expect: answered(GREEN) }),
  scenario('empty-id', { toolCalls: [{ ...effectCall, id: '' }] }, { expect: answered(GREEN) }),
  scenario('missing-id', { toolCalls: [{ ...effectCall, id: null }] }, { expect: answered(GREEN) }),
  scenario(
    'duplicate-ids',
    {
      toolCalls: [
        { name: 'effect', arguments: ['{"n":1}'], id: 'call_same' },
        { name: 'effect', arguments: ['{"n":2}'], id: 'call_same' },
      ],
    },
    { expect: answered(effect({ n: 1 }), effect({ n: 2 })) },
  ),
  scenario(
    'all-index-zero',
    {
      toolCalls: [
        { name: 'effect', arguments: ['{"n"', ':1}'], index: 0 },
        { name: 'effect', arguments: ['{"n"', ':2}'], index: 0 },
      ],
    },
    { expect: answered(effect({ n: 1 }), effect({ n: 2 })) },
  ),
  scenario('finish-twice', { ...callTurn, ending: 'finish-twice' }, { expect: answered(GREEN) }),
  scenario('name-repeated', { ...callTurn, repeatedNames: true }, { expect: answered(GREEN) }),
  scenario(
    'late-events',
    { ...callTurn, late: withArguments('{"n":666}') },
    {
      expect: answered(GREEN),
      expectWhole: { outcome: 'either', codes: CUT, effects: [GREEN], effectsOptional: true },
    },
  ),
]

const truncation: readonly FaultScenario[] = [
  scenario('eof-mid-text', { text: ['Let me ', 'do '], ending: 'eof' }, { expect: failed(...CUT) }),
  scenario('end-without-finish', { ...callTurn, ending: 'no-finish' }, { expect: failed(...CUT) }),
  scenario(
    'length-announced-too-long',
    { ...callTurn, announcedTooMuch: 40 },
    {
      expect: { outcome: 'either', codes: CUT, effects: [GREEN], effectsOptional: true },
    },
  ),
  scenario('eof-arguments-complete', { ...callTurn, ending: 'eof' }, { expect: failed(...CUT) }),
  scenario(
    'eof-mid-arguments',
    { ...withArguments('{"n":1,', '"s":"unfin'), ending: 'eof' },
    { expect: failed(...CUT) },
  ),
  scenario(
    'eof-empty-arguments',
    { toolCalls: [{ name: 'ping', arguments: [] }], ending: 'eof' },
    { expect: failed(...CUT) },
  ),
  scenario(
    'length-arguments-cut',
    { ...withArguments('{"n":1,', '"s":"unfin'), finish: 'length' },
    { expect: answered() },
  ),
  scenario(
    'length-arguments-parse',
    { ...withArguments('{"n":1', '}'), finish: 'length' },
    { expect: answered() },
  ),
]

const modelArguments: readonly FaultScenario[] = [
  scenario(
    'empty-arguments-string',
    { toolCalls: [{ name: 'ping', arguments: [''] }] },
    { expect: answered({ tool: 'ping', input: {} }) },
  ),
  scenario('malformed-arguments', withArguments('{"n": 1, s:', " 'x',}"), { expect: answered() }),
  scenario('arguments-null', withArguments('null'), { expect: answered() }),
  scenario('arguments-array', withArguments('[1]'), { expect: answered() }),
  scenario(
    'unknown-tool',
    { toolCalls: [{ name: 'efect', arguments: ['{"n":1}'] }] },
    {
      expect: answered(),
    },
  ),
  scenario('string-for-number', withArguments('{"n":"1"}'), {
    expect: answered(effect({ n: 1 })),
  }),
  scenario('proto-in-arguments', withArguments('{"n":1,"__proto__":{"polluted":true}}'), {
    expect: { ...answered(effect({ n: 1 })), effectsOptional: true },
  }),
]

const breakdown: readonly FaultScenario[] = [
  scenario(
    'error-event',
    { ...callTurn, ending: 'error-event' },
    {
      expect: failed('provider-unavailable', 'provider-rejected', 'provider-rate-limit'),
    },
  ),
  scenario(
    'error-body-for-stream',
    { ...callTurn, ending: 'error-body' },
    { expect: failed('provider-unavailable', 'provider-rejected', 'provider-rate-limit') },
  ),
  scenario(
    'event-that-is-no-json',
    { ...callTurn, ending: 'garbage' },
    {
      expect: failed('invalid-response'),
    },
  ),
  scenario('socket-reset', { ...callTurn, ending: 'reset' }, { expect: failed(...CUT) }),
  scenario(
    'reset-inside-event',
    { ...callTurn, ending: 'reset-inside' },
    {
      expect: failed(...CUT),
    },
  ),
  scenario(
    'reset-after-end',
    { ...callTurn, ending: 'reset-after-end' },
    {
      expect: answered(GREEN),
      expectWhole: { outcome: 'either', codes: CUT, effects: [GREEN], effectsOptional: true },
    },
  ),
  scenario('reset-after-headers', { drop: 'after-headers' }, { expect: failed(...CUT) }),
  {
    name: 'reset-before-headers',
    script: [{ drop: 'before-headers' }, callTurn, done],
    expect: answered(GREEN),
  },
  {
    name: 'kept-connection-closed',
    script: [callTurn, { drop: 'before-headers' }, done],
    expect: answered(GREEN),
  },
  scenario(
    'abort-while-stalled',
    { text: ['Let me '], ending: 'stall' },
    {
      abort: 'when-stalled',
      expect: failed('aborted'),
    },
  ),
  scenario(
    'endless-line',
    { ending: 'endless-line' },
    {
      expect: { ...failed('provider-too-large'), memoryGrowth: 64 * MEGABYTE },
    },
  ),
  scenario(
    'silence',
    { text: ['Let me '], ending: 'stall' },
    { idleTimeoutMs: 300, expect: failed('provider-timeout') },
  ),
  scenario(
    'endless-events',
    { text: ['x'.repeat(200)], ending: 'endless-events' },
    {
      expect: { ...failed('provider-too-large'), memoryGrowth: 192 * MEGABYTE },
    },
  ),
  scenario(
    'endless-headers',
    { drop: 'endless-headers' },
    {
      expect: {
        ...failed('provider-unreachable', 'provider-too-large'),
        memoryGrowth: 64 * MEGABYTE,
      },
    },
  ),
  scenario(
    'packed-bomb',
    { drop: 'packed-bomb' },
    {
      expect: { ...failed('provider-too-large'), memoryGrowth: 192 * MEGABYTE },
    },
  ),
  scenario('page-for-answer', { status: 200, page: true }, { expect: failed('invalid-response') }),
  {
    name: 'page-of-gateway',
    script: [{ status: 502, page: true }, callTurn, done],
    expect: answered(GREEN),
  },
  scenario(
    'redirect',
    { status: 307, location: 'http://127.0.0.1:9/v1' },
    {
      expect: failed('provider-rejected'),
    },
  ),
  scenario(
    'not-asked-again',
    { status: 401, message: 'Who are you?' },
    {
      expect: failed('provider-auth'),
    },
  ),
  {
    name: 'retry-after-date',
    script: [{ status: 503, retryAfter: { dateInSeconds: 1 } }, callTurn, done],
    expect: answered(GREEN),
  },
  {
    name: 'retry-after-nonsense',
    script: [
      { status: 429, retryAfter: '-5' },
      { status: 429, retryAfter: '864000' },
      callTurn,
      done,
    ],
    expect: answered(GREEN),
  },
  {
    name: 'rate-limit-retry-after',
    script: [{ status: 429, retryAfterSeconds: 1, message: 'Too many requests.' }, callTurn, done],
    expect: answered(GREEN),
  },
]

const toolTrouble: readonly FaultScenario[] = [
  scenario('abort-while-tool-ignores', callTurn, {
    tool: 'never-settles',
    abort: 'when-tool-runs',
    expect: { ...failed('aborted'), effects: [GREEN] },
  }),
  scenario('bigint-result', callTurn, {
    tool: 'returns-bigint',
    expect: { ...answered(GREEN), resultIncludes: '9007199254740993' },
  }),
  scenario('cyclic-result', callTurn, {
    tool: 'returns-cycle',
    expect: { ...answered(GREEN), resultIncludes: 'kept in the cycle' },
  }),
  scenario('lone-surrogate-result', callTurn, {
    tool: 'returns-lone-surrogate',
    expect: { ...answered(GREEN), resultIncludes: 'cut here' },
  }),
  scenario('tool-throws-null', callTurn, { tool: 'throws-null', expect: answered(GREEN) }),
  scenario('tool-throws-secret', callTurn, {
    tool: 'throws-secret',
    expect: { ...answered(GREEN), secret: FAULT_SECRET },
  }),
  {
    name: 'endless-tool-loop',
    script: (step) => withArguments(`{"n":${step}}`),
    expect: {
      outcome: 'error',
      codes: ['run-limit'],
      effects: Array.from({ length: FAULT_ROUNDS }, (_, index) => effect({ n: index + 1 })),
      effectsOptional: true,
    },
  },
]

/** Every scenario, in the order of the matrix. */
export const FAULT_SCENARIOS: readonly FaultScenario[] = [
  ...framing,
  ...assembly,
  ...truncation,
  ...modelArguments,
  ...breakdown,
  ...toolTrouble,
]
