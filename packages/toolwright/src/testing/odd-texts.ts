/** Texts that a careless store takes for each other, changes, or cannot keep. For ids and parts of keys. */
export const ODD_TEXTS: readonly string[] = [
  '__proto__',
  'constructor',
  '',
  ' ',
  'STATE',
  'state',
  'state ',
  "'; --",
  '%',
  '_tate',
  '\\',
  '\\u0000',
  '\u0000',
  'a\u0000b',
  'a\u0000c',
  '\ud800',
  '\ud801',
  '\udc00',
  '\ufffd',
  '😀',
  'é',
  'e\u0301',
  'ß',
  'ss',
  `${'x'.repeat(500)}1`,
  `${'x'.repeat(500)}2`,
  `${'ü'.repeat(5_000)}1`,
  `${'u\u0308'.repeat(5_000)}1`,
  `${'x'.repeat(10_000)}1`,
  `${'x'.repeat(10_000)}2`,
]

/** Short enough for a message. */
export const inWords = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 20)}…${text.slice(-10)}` : text)
