import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCall,
  ToolResponse,
  UserPart,
} from '../messages/message.ts'
import { cleanHistory, isPaired } from './history-builder.ts'
import { pairHistory } from './pair-history.ts'

/** As the model step forms it. */
function buildHistory(messages: readonly Message[]): readonly Message[] {
  const history = cleanHistory(messages)
  return isPaired(history) ? history : pairHistory(history)
}

/**
 * What a provider would object to, in words. Written against the promise, not against the builder: it
 * shares no code with it.
 */
function violations(messages: readonly Message[]): readonly string[] {
  const found: string[] = []
  const seen = new Set<string>()
  messages.forEach((message, at) => {
    const place = `${at} ${message.role}`
    if (message.role === 'tool') {
      const before = messages[at - 1]
      const calls = before?.role === 'assistant' ? callsIn(before) : []
      if (calls.length === 0) found.push(`${place}: answers nobody`)
      const wanted = calls.map((call) => `${call.id} ${call.name}`)
      const given = message.responses.map((response) => `${response.id} ${response.name}`)
      if (JSON.stringify(wanted) !== JSON.stringify(given))
        found.push(`${place}: not one each, in order`)
    }
    if (message.role === 'assistant') {
      if (message.content.length === 0) found.push(`${place}: empty`)
      const calls = callsIn(message)
      if (calls.length > 0 && messages[at + 1]?.role !== 'tool') found.push(`${place}: unanswered`)
      for (const call of calls) {
        if (call.id === '') found.push(`${place}: empty id`)
        if (seen.has(call.id)) found.push(`${place}: id ${call.id} twice`)
        seen.add(call.id)
        if (!isObjectText(call.arguments)) found.push(`${place}: arguments ${call.arguments}`)
      }
    }
    for (const text of textsIn(message)) {
      if (!text.isWellFormed()) found.push(`${place}: ${JSON.stringify(text)} is not well-formed`)
    }
  })
  return found
}

const callsIn = (message: AssistantMessage): readonly ToolCall[] =>
  typeof message.content === 'string'
    ? []
    : message.content.filter((part): part is ToolCall => part.type === 'tool-call')

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    // Half characters can hide behind escapes.
    const hidden = JSON.stringify(value)
      .replace(/\\\\/g, '')
      .match(/\\ud[89a-f]/i)
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !hidden
  } catch {
    return false
  }
}

/** Every string that a provider reads; signed reasoning and a provider's own items go back untouched. */
function textsIn(message: Message): readonly string[] {
  if (message.role === 'tool') {
    return message.responses.flatMap((response) => [
      response.id,
      response.name,
      ...textsOf(response.content),
    ])
  }
  return textsOf(message.content)
}

function textsOf(content: string | readonly (AssistantPart | UserPart)[]): readonly string[] {
  if (typeof content === 'string') return [content]
  return content.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    if (part.type === 'reasoning') return part.providerData === undefined ? [part.text] : []
    if (part.type === 'tool-call') return [part.id, part.name, part.arguments]
    if (part.type === 'provider') return []
    return [part.mediaType, part.data, part.url, part.name].filter((text) => text !== undefined)
  })
}

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('', ' ', 'hello', '\ud800', 'a\udc00b', '😀', '\u0000'),
  fc.string({ unit: 'binary' }),
)
const id = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'b',
    'c',
    'a_2',
    'call_1',
    'call',
    '\ud800',
    '\udc00',
    '__proto__',
    'toString',
  ),
  fc.string({ maxLength: 3 }),
)
const args = fc.oneof(
  fc.constantFrom(
    '',
    '{}',
    '{"a":',
    '[]',
    'null',
    '1',
    '"x"',
    '{"a":1}',
    '{"__proto__":{}}',
    '{"a":"\\ud800"}',
    '{"a":"\ud800"}',
    '{"\\udc00":1}',
    '{"a":"\\ud83d\\ude00"}',
    '{"a":"\\\\ud800"}',
  ),
  fc.json(),
)
const toolCall: fc.Arbitrary<ToolCall> = fc.record({
  type: fc.constant('tool-call' as const),
  id,
  name: fc.constantFrom('x', 'y', '\ud800'),
  arguments: args,
})
const userPart: fc.Arbitrary<UserPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('image' as const), mediaType: text, url: text, name: text }),
)
const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  { weight: 3, arbitrary: toolCall },
  { weight: 1, arbitrary: userPart },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        type: fc.constant('reasoning' as const),
        text,
        providerData: fc.constant({ signature: 's' }),
      },
      { requiredKeys: ['type', 'text'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('provider' as const),
      kind: fc.constant('search'),
      data: fc.constant({ q: '\ud800' }),
    }),
  },
)
const toolResponse: fc.Arbitrary<ToolResponse> = fc.record({
  id,
  name: fc.constantFrom('x', 'y'),
  content: fc.oneof(text, fc.array(userPart, { maxLength: 2 })),
})
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: text }),
  fc.record({
    role: fc.constant('user' as const),
    content: fc.oneof(text, fc.array(userPart, { maxLength: 2 })),
  }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: fc.oneof(text, fc.array(assistantPart, { maxLength: 4 })),
  }),
  fc.record({
    role: fc.constant('tool' as const),
    responses: fc.array(toolResponse, { maxLength: 4 }),
  }),
)
const anyHistory = fc.array(message, { maxLength: 12 })

/** A history as the loop writes it: every batch answered in order, ids unique. */
const validHistory: fc.Arbitrary<readonly Message[]> = fc
  .array(fc.record({ ask: fc.string(), batches: fc.array(fc.integer({ min: 1, max: 3 })) }))
  .map((turns) => {
    let ids = 0
    return turns.flatMap(({ ask, batches }): Message[] => [
      { role: 'user', content: ask.toWellFormed() },
      ...batches.flatMap((size): Message[] => {
        const calls = Array.from({ length: size }, (): ToolCall => {
          return { type: 'tool-call', id: `id${++ids}`, name: 'x', arguments: '{"n":1}' }
        })
        return [
          { role: 'assistant', content: calls },
          {
            role: 'tool',
            responses: calls.map((call) => ({ id: call.id, name: 'x', content: 'ok' })),
          },
        ]
      }),
      { role: 'assistant', content: 'Done.' },
    ])
  })

describe('any history', () => {
  it('becomes one that no provider objects to', () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        expect(violations(buildHistory(messages))).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })

  it('is built the same way twice, and what was built stays as it is', () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const built = buildHistory(messages)
        expect(buildHistory(built)).toBe(built)
        expect(buildHistory(structuredClone(messages) as readonly Message[])).toEqual(built)
      }),
      { numRuns: 1500 },
    )
  })

  it('keeps what users and the system said, in order', () => {
    const said = (messages: readonly Message[]): readonly string[] =>
      messages
        .filter((each) => each.role === 'user' || each.role === 'system')
        .map((each) =>
          textsOf(each.content)
            .map((words) => words.toWellFormed())
            .join('|'),
        )
    fc.assert(
      fc.property(anyHistory, (messages) => {
        expect(said(buildHistory(messages))).toEqual(said(messages))
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps every call, and every answer that has one', () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const count = (all: readonly Message[]): number =>
          all.reduce((sum, each) => sum + (each.role === 'assistant' ? callsIn(each).length : 0), 0)
        expect(count(buildHistory(messages))).toBe(count(messages))
      }),
      { numRuns: 1000 },
    )
  })

  it('is not changed itself', () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const before = structuredClone(messages)
        buildHistory(messages)
        expect(messages).toEqual(before)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a valid history', () => {
  it('comes back as the same object', () => {
    fc.assert(
      fc.property(validHistory, (messages) => {
        expect(violations(messages)).toEqual([])
        expect(buildHistory(messages)).toBe(messages)
      }),
    )
  })

  it('that grows keeps the objects it had', () => {
    const first: readonly Message[] = [{ role: 'user', content: 'Hi' }]
    const more: readonly Message[] = [
      ...buildHistory(first),
      { role: 'assistant', content: '\ud800' },
    ]
    const built = buildHistory(more)
    expect(built[0]).toBe(first[0])
    expect(built[1]).toEqual({ role: 'assistant', content: '\uFFFD' })
  })
})

describe('examples', () => {
  const user: Message = { role: 'user', content: 'Go' }
  const call = (callId: string, more: Partial<ToolCall> = {}): ToolCall => ({
    type: 'tool-call',
    id: callId,
    name: 'x',
    arguments: '{}',
    ...more,
  })
  const asking = (...calls: readonly AssistantPart[]): Message => ({
    role: 'assistant',
    content: calls,
  })
  const answering = (...ids: readonly string[]): Message => ({
    role: 'tool',
    responses: ids.map((each) => ({ id: each, name: 'x', content: `of ${each}` })),
  })
  const sentBack = (given: string): string => {
    const built = buildHistory([user, asking(call('a', { arguments: given })), answering('a')])
    return callsIn(built[1] as AssistantMessage)[0]!.arguments
  }

  it('a call without a response gets one that says so', () => {
    const built = buildHistory([user, asking(call('a'), call('b')), answering('b')])
    expect(built[2]).toEqual({
      role: 'tool',
      responses: [
        { id: 'a', name: 'x', content: 'No result was recorded for this call.', isError: true },
        { id: 'b', name: 'x', content: 'of b' },
      ],
    })
  })

  it('responses that slipped behind a user message, out of order or apart, come home', () => {
    const built = buildHistory([
      user,
      asking(call('a'), call('b')),
      user,
      answering('b'),
      answering('a'),
    ])
    expect(built).toEqual([user, asking(call('a'), call('b')), answering('a', 'b'), user])
  })

  it('responses nobody asked for, and a second response, are left out', () => {
    const built = buildHistory([answering('z'), user, asking(call('a')), answering('a', 'a', 'q')])
    expect(built).toEqual([user, asking(call('a')), answering('a')])
  })

  it('ids that come again in another turn are told apart, each with its own answer', () => {
    const built = buildHistory([
      user,
      asking(call('a')),
      { role: 'tool', responses: [{ id: 'a', name: 'x', content: 'first' }] },
      asking(call('a')),
      { role: 'tool', responses: [{ id: 'a', name: 'x', content: 'second' }] },
    ])
    expect(built.slice(3)).toEqual([
      asking(call('a_2')),
      { role: 'tool', responses: [{ id: 'a_2', name: 'x', content: 'second' }] },
    ])
  })

  it('arguments that are no JSON object go back as {}', () => {
    for (const broken of ['', '{"a":', '[1]', 'null']) expect(sentBack(broken)).toBe('{}')
  })

  it('half a character in arguments goes back as U+FFFD, the rest of them as it was', () => {
    expect(sentBack('{"a":"\\ud800", "b":[1.0]}')).toBe('{"a":"\ufffd", "b":[1.0]}')
    expect(sentBack('{"a":"\ud800"}')).toBe('{"a":"\ufffd"}')
    for (const whole of ['{"a":"\\\\ud800"}', '{"a":"\\ud83d\\ude00"}', '{"a":"\\u0041"}'])
      expect(sentBack(whole)).toBe(whole)
  })

  it('signed reasoning and a provider’s own items go back untouched', () => {
    const parts: readonly AssistantPart[] = [
      { type: 'reasoning', text: 'half \ud800', providerData: { signature: 's' } },
      { type: 'provider', kind: 'search', data: { q: '\ud800' } },
      call('a', { arguments: '{' }),
    ]
    const [, built] = buildHistory([user, asking(...parts), answering('a')])
    const sent = (built as AssistantMessage).content as readonly AssistantPart[]
    expect(sent[0]).toBe(parts[0])
    expect(sent[1]).toBe(parts[1])
  })

  it('an answer that says nothing is left out, also when it is made of empty text', () => {
    expect(buildHistory([user, { role: 'assistant', content: '' }, user])).toEqual([user, user])
    const empty = asking({ type: 'text', text: '' })
    expect(buildHistory([user, empty, user])).toEqual([user, user])
  })
})
