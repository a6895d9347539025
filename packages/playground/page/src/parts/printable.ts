/**
 * Makes foreign text harmless to read: colour codes of terminals are taken out, other control characters and those that turn
 * the direction of writing are made visible, so that nothing looks like something else.
 */
const TERMINAL =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-~])/g
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g
const INVISIBLE =
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu

export const printable = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(TERMINAL, '')
    .replace(CONTROL, visibleControl)
    .replace(INVISIBLE, codeOf)

/** Unicode has pictures of the old control characters. */
function visibleControl(character: string): string {
  const code = character.charCodeAt(0)
  if (code === 0x7f) return '\u2421'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : codeOf(character)
}

const codeOf = (character: string): string =>
  `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`
