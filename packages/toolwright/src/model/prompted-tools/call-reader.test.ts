/** Which texts are calls, and that it does not matter in which pieces they come. */
import { describe, expect, it } from 'vitest'
import { CallReader, type Read } from './call-reader.ts'

const CALL = '{"name": "weather", "arguments": {"city": "Paris"}}'
const weather = (text = '{"city": "Paris"}'): string => `weather ${text}`

/** Text that a reader got, joined; calls as `name arguments`. */
function told(pieces: readonly string[]): readonly (string | { readonly call: string })[] {
  const reader = new CallReader()
  const read: Read[] = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
  const joined: (string | { readonly call: string })[] = []
  for (const each of read) {
    const last = joined.at(-1)
    if (typeof each !== 'string') joined.push({ call: `${each.name} ${each.arguments}` })
    else if (typeof last === 'string') joined.splice(-1, 1, last + each)
    else joined.push(each)
  }
  return joined
}

const one = { call: weather() }

/** What is written, and what it is: texts and calls in order. */
const CASES: readonly (readonly [
  what: string,
  text: string,
  ...expected: (string | { readonly call: string })[],
])[] = [
  ['the notation', `<tool_call>\n${CALL}\n</tool_call>`, one],
  ['on one line', `<tool_call>${CALL}</tool_call>`, one],
  [
    'text before and after',
    `Let me look.\n<tool_call>${CALL}</tool_call>\nDone.`,
    'Let me look.',
    one,
    'Done.',
  ],
  ['two blocks', `<tool_call>${CALL}</tool_call>\n<tool_call>${CALL}</tool_call>`, one, one],
  ['two calls in one block', `<tool_call>\n${CALL}\n${CALL}\n</tool_call>`, one, one],
  ['a list in one block', `<tool_calls>[${CALL}, ${CALL}]</tool_calls>`, one, one],
  ['a fence inside', `<tool_call>\n\`\`\`json\n${CALL}\n\`\`\`\n</tool_call>`, one],
  [
    'a fence around',
    `Look:\n\`\`\`xml\n<tool_call>\n${CALL}\n</tool_call>\n\`\`\`\nDone.`,
    'Look:',
    one,
    'Done.',
  ],
  ['a fence instead', `\`\`\`tool_call\n${CALL}\n\`\`\``, one],
  ['the other tag', `<function_call>${CALL}</function_call>`, one],
  ['in capitals', `<TOOL_CALL>${CALL}</TOOL_CALL>`, one],
  ['as Mistral writes it', `[TOOL_CALLS] [${CALL}]`, one],
  ['without an end', `<tool_call>\n${CALL}`, one],
  [
    'parameters instead of arguments',
    '<tool_call>{"name":"weather","parameters":{"city": "Paris"}}</tool_call>',
    one,
  ],
  [
    'arguments as text',
    '<tool_call>{"name":"weather","arguments":"{\\"city\\": \\"Paris\\"}"}</tool_call>',
    one,
  ],
  [
    'as Chat Completions has it',
    `<tool_call>{"type":"function","function":${CALL}}</tool_call>`,
    one,
  ],
  ['without arguments', '<tool_call>{"name":"now"}</tool_call>', { call: 'now {}' }],
  [
    'the closing tag inside a string',
    '<tool_call>{"name":"weather","arguments":{"city":"</tool_call>\\"}"}}</tool_call>',
    { call: weather('{"city":"</tool_call>\\"}"}') },
  ],
  [
    'a number that no double holds',
    '<tool_call>{"name":"pay","arguments":{"id":9007199254740993}}</tool_call>',
    { call: 'pay {"id":9007199254740993}' },
  ],
  // Nobody can run these: their arguments are no JSON, and the model is told so.
  [
    'single quotes',
    "<tool_call>{'name': 'weather', 'arguments': {'city': 'Paris'}}</tool_call>",
    { call: weather("{'name': 'weather', 'arguments': {'city': 'Paris'}}") },
  ],
  [
    'cut in the arguments',
    '<tool_call>{"name":"weather","arguments":{"city":"Pa',
    { call: weather('{"name":"weather","arguments":{"city":"Pa') },
  ],
  [
    'a brace forgotten',
    '<tool_call>{"name":"weather","arguments":{"city":"Paris"}</tool_call>',
    { call: weather('{"name":"weather","arguments":{"city":"Paris"}</tool_call>') },
  ],
  // These are text.
  [
    'plain text',
    'Sunny, with a < b and `code` and [links](x).',
    'Sunny, with a < b and `code` and [links](x).',
  ],
  [
    'the tag, quoted',
    'Write `<tool_call>` and then {"name":"x"}.',
    'Write `<tool_call>` and then {"name":"x"}.',
  ],
  [
    'a whole call, quoted',
    `Write \`<tool_call>${CALL}</tool_call>\`.`,
    `Write \`<tool_call>${CALL}</tool_call>\`.`,
  ],
  ['the tag, and words', 'A <tool_call> is a block.', 'A <tool_call> is a block.'],
  [
    'the tag, and JSON without a name',
    '<tool_call>{"a":1}</tool_call>',
    '<tool_call>{"a":1}</tool_call>',
  ],
  ['a block of code', '```js\nif (a < b) {}\n```\nDone.', '```js\nif (a < b) {}\n```\nDone.'],
  ['cut in the tag', 'Hm <tool_ca', 'Hm <tool_ca'],
  ['cut behind the tag', 'Hm <tool_call>\n', 'Hm <tool_call>\n'],
  ['cut before the name', '<tool_call>{"na', '<tool_call>{"na'],
  ['a closing tag alone', 'Hm </tool_call>.', 'Hm </tool_call>.'],
  ['blanks at the end', 'Sunny. \n', 'Sunny. \n'],
  ['blanks alone', ' \n ', ' \n '],
]

describe('calls are read out of text', () => {
  for (const [what, text, ...expected] of CASES)
    it(what, () => {
      expect(told([text])).toEqual(expected)
      expect(told(text.split(''))).toEqual(expected)
      for (let at = 1; at < text.length; at++)
        expect(told([text.slice(0, at), text.slice(at)]), `cut at ${at}`).toEqual(expected)
    })
})

it('text streams as it comes, but for what may begin a call', () => {
  const reader = new CallReader()
  expect(reader.push('Let me ')).toEqual(['Let me'])
  expect(reader.push('see: a <')).toEqual([' see: a'])
  expect(reader.push(' b')).toEqual([' < b'])
  expect(reader.push(' <tool_')).toEqual([])
  expect(reader.push('box> ok')).toEqual([' <tool_box> ok'])
  expect(reader.end()).toEqual([])
})

it('a call inside of a call inside of a call is none', () => {
  const nested = `<tool_call>${'{"function":'.repeat(80_000)}1${'}'.repeat(80_000)}</tool_call>`
  expect(told([nested])).toEqual([nested])
})

it('a block that is too long is text, and what follows it is read', () => {
  const long = `<tool_call>{"name":"x","arguments":{"a":"${'y'.repeat(1_100_000)}`
  const read = told([long, '"}}</tool_call>', `<tool_call>${CALL}</tool_call>`])
  expect(read.at(-1)).toEqual(one)
  expect(String(read[0]).length).toBeGreaterThan(1_100_000)
})
