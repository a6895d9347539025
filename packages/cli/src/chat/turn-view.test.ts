import { PassThrough } from 'node:stream'
import type { ChatEvent, ChatResponse, ToolCall } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { Screen } from '../terminal/screen.ts'
import { TurnView } from './turn-view.ts'

/** What stands there after these events, on something as wide as it likes. */
function shown(events: readonly ChatEvent[], printed: readonly string[] = []): string {
  const output = new PassThrough()
  const screen = new Screen({ output: output as unknown as NodeJS.WriteStream, env: {} })
  const view = new TurnView({ answer: screen, notes: screen })
  for (const event of events) view.show(event)
  for (const text of printed) view.showPrinted(text)
  view.end()
  return String(output.read() ?? '')
}

const call = (id: string, input = '{}'): ToolCall => ({
  type: 'tool-call',
  id,
  name: 'look',
  arguments: input,
})
const text = (said: string): ChatEvent => ({ type: 'text-delta', text: said })
const result = (content: unknown, isError?: true): ChatEvent => ({
  type: 'tool-result',
  toolCall: call('1'),
  response: { id: '1', name: 'look', content: content as string, ...(isError && { isError }) },
})
const ended = (
  finishReason: ChatResponse['results'][number]['finishReason'],
  usage: ChatResponse['usage'] = {},
): ChatEvent => ({
  type: 'response',
  response: {
    results: [{ message: { role: 'assistant', content: 'direct' }, finishReason, metadata: {} }],
    usage,
    metadata: {},
  },
})

describe('a turn on the screen', () => {
  it('puts each call and result on a line of its own, between the text', () => {
    expect(
      shown([
        text('Let me'),
        { type: 'tool-call', toolCall: call('1', '{"a":1}') },
        { type: 'tool-call', toolCall: call('2') },
        result('one\ntwo'),
        result('broken', true),
        text('Done.'),
        ended('stop'),
      ]),
    ).toBe('Let me\n→ look {"a":1}\n→ look {}\n← look: one\n  two\n✗ look: broken\nDone.\n')
  })

  it('says what media and provider parts are', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(4096) } as const
    expect(
      shown([
        result([{ type: 'text', text: 'a' }, image]),
        { type: 'part', part: { type: 'provider', kind: 'web_search', data: {} } },
        { type: 'part', part: { type: 'file', mediaType: 'text/plain', url: 'https://x/y' } },
      ]),
    ).toBe('← look: a\n  [image, image/png, 3 kB]\n[web_search]\n[file, text/plain, https://x/y]\n')
  })

  it('shows reasoning apart from the answer', () => {
    expect(shown([{ type: 'reasoning-delta', text: 'Hm' }, text('Yes.')])).toBe('Hm\nYes.\n')
  })

  it('shows the same progress once', () => {
    const progress = (value: unknown): ChatEvent => ({
      type: 'tool-progress',
      toolCall: call('1'),
      progress: value,
    })
    expect(shown([progress(1), progress(1), progress({ done: 2n }), progress('half')])).toBe(
      'look: 1\nlook: [object Object]\nlook: half\n',
    )
  })

  it('does not take the words of a run inside a tool for the answer', () => {
    const inner = { parentCallId: '1' }
    expect(
      shown([
        { ...text('inner'), ...inner },
        { ...ended('stop', { inputTokens: 5 }), ...inner },
        { type: 'tool-call', toolCall: call('2'), ...inner },
        text('outer'),
      ]),
    ).toBe('  → look {}\nouter\n')
  })

  it.each([
    ['return-direct', {}, 'direct\n'],
    ['suspended', { inputTokens: 1 }, ''],
    ['length', {}, 'The answer is cut: the model may say no more at once.\n'],
    ['stop', { inputTokens: 1234, outputTokens: 5 }, '1,234 tokens in, 5 out\n'],
    ['stop', { totalTokens: 7 }, '7 tokens\n'],
  ] as const)('at the end of %s with %j', (reason, usage, expected) => {
    expect(shown([ended(reason, usage)])).toBe(expected)
  })

  it('cuts long arguments and results, and says by how much', () => {
    expect(shown([result('x'.repeat(1800))])).toBe(
      `← look: ${'x'.repeat(800)}… 1,000 more characters\n`,
    )
  })

  it('hands on what tools print as it is when nobody looks', () => {
    expect(shown([], ['\x1b[31mred', ' text'])).toBe('\x1b[31mred text')
  })
})
