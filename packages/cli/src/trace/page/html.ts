/**
 * HTML made of text that others wrote: whatever is put into a template is shown as text, unless it was made by a
 * template itself. There is no other way to markup in the page.
 */

/** Markup that was made here. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

type Put = Html | string | number | readonly Html[] | undefined | false

/**
 * @example
 * html`<b>${name}</b>`
 */
export function html(markup: TemplateStringsArray, ...values: readonly Put[]): Html {
  const pieces = markup.map((piece, index) =>
    index === 0 ? piece : put(values[index - 1]) + piece,
  )
  return new Html(pieces.join(''))
}

/** What the page itself brings: its style and its script. */
export const ownMarkup = (markup: string): Html => new Html(markup)

function put(value: Put): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (Array.isArray(value)) return (value as readonly Html[]).join('')
  return escaped(visible(String(value)))
}

/** Control characters, and those that change the direction of text or cannot be seen. Tabs and line breaks stay. */
const UNSEEN =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

/** Characters that hide or rename something become visible signs. */
function visible(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(UNSEEN, signOf)
}

function signOf(unseen: string): string {
  const code = unseen.codePointAt(0)!
  // Unicode has a picture for each of the first 32 control characters, and for delete.
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

const escaped = (text: string): string => text.replace(/[&<>"'`]/g, (each) => ENTITIES[each]!)
