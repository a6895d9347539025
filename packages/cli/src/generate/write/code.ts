/**
 * Code as a tree that is laid out when it is printed: a group goes on one line if it fits, otherwise each
 * of its lines is broken. Quotes, semicolons and indentation follow the source file.
 */
import { isIdentifier } from '../shape/identifier.ts'

export type Code = string | readonly Code[] | CodeNode

type CodeNode =
  | { readonly is: 'group'; readonly code: Code; readonly broken: boolean }
  | { readonly is: 'indent'; readonly code: Code }
  /** A space, or nothing if `soft`; a line break in a broken group. */
  | { readonly is: 'line'; readonly soft: boolean }
  /** One code in a broken group, another on one line. */
  | { readonly is: 'if-broken'; readonly code: Code; readonly flat: Code }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'end' }

export interface CodeStyle {
  readonly quote: "'" | '"'
  readonly semicolons: boolean
  readonly indent: string
  readonly newLine: '\n' | '\r\n'
}

const WIDTH = 100

const LINE: Code = { is: 'line', soft: false }
const SOFT_LINE: Code = { is: 'line', soft: true }
/** The end of a statement. */
export const END: Code = { is: 'end' }

/** Between the members of a type: always a semicolon on one line. */
export const MEMBER_END: Code = { is: 'if-broken', code: END, flat: ';' }

/** A string literal. */
export const text = (value: string): Code => ({ is: 'text', text: value })
const group = (code: Code, broken = false): Code => ({ is: 'group', code, broken })

interface ListOptions {
  readonly broken?: boolean
  readonly separator?: Code
  /** What follows the last item of a broken list. Default: the separator. */
  readonly last?: Code
}

/** `( a, b )` with or without spaces inside. It is broken into lines if it does not fit, or if it must be. */
export function list(
  [open, close]: readonly [string, string],
  items: readonly Code[],
  { broken = false, separator = ',', last = separator }: ListOptions = {},
): Code {
  if (items.length === 0) return open + close
  const edge = open === '{' ? LINE : SOFT_LINE
  const inner = items.flatMap((item, index) => (index > 0 ? [separator, LINE, item] : [item]))
  const code = [
    open,
    { is: 'indent', code: [edge, ...inner] },
    { is: 'if-broken', code: last, flat: '' },
  ]
  return group([...(code as Code[]), edge, close], broken)
}

/** `first`, and the rest on the same line or indented on the next. */
export const hanging = (first: Code, rest: Code): Code =>
  group([first, { is: 'indent', code: [LINE, rest] }])

/** `a ? b : c`, with one part per line if it is long. */
export const conditional = (test: Code, yes: Code, no: Code): Code =>
  group([test, { is: 'indent', code: [LINE, '? ', yes, LINE, ': ', no] }])

/** Statements one below the other, in a block. */
export const block = (statements: readonly Code[]): Code =>
  list(['{', '}'], statements, { broken: true, separator: END })

export function print(code: Code, style: CodeStyle): string {
  const printer = new Printer(style)
  printer.print(code, '', true)
  return printer.text
}

class Printer {
  text = ''
  readonly #style: CodeStyle
  #column = 0

  constructor(style: CodeStyle) {
    this.#style = style
  }

  print(code: Code, indent: string, broken: boolean): void {
    if (typeof code === 'string') return this.#write(code)
    if (!('is' in code)) return this.#each(code, indent, broken)
    if (code.is === 'group')
      return this.print(code.code, indent, code.broken || !this.#fits(code.code))
    if (code.is === 'indent') return this.print(code.code, indent + this.#style.indent, broken)
    if (code.is === 'line' && broken) return this.#breakLine(indent)
    this.print(code.is === 'if-broken' && broken ? code.code : this.#flat(code), indent, broken)
  }

  /** The comma or bracket that follows counts when a group is measured. */
  #each(codes: readonly Code[], indent: string, broken: boolean): void {
    for (const code of codes) this.print(code, indent, broken)
  }

  #flat(node: Exclude<CodeNode, { is: 'group' | 'indent' }>): Code {
    if (node.is === 'line') return node.soft ? '' : ' '
    if (node.is === 'end') return this.#style.semicolons ? ';' : ''
    return node.is === 'text' ? quoted(node.text, this.#style.quote) : node.flat
  }

  #fits(code: Code): boolean {
    // One column is left for a comma that may follow.
    const width = this.#widthOf(code)
    return width !== undefined && this.#column + width < WIDTH
  }

  /** Returns undefined for code that cannot be on one line. */
  #widthOf(code: Code): number | undefined {
    if (typeof code === 'string') return code.length
    if (!('is' in code)) {
      let sum = 0
      for (const part of code) {
        const width = this.#widthOf(part)
        if (width === undefined) return undefined
        sum += width
      }
      return sum
    }
    if (code.is === 'group') return code.broken ? undefined : this.#widthOf(code.code)
    if (code.is === 'indent') return this.#widthOf(code.code)
    return this.#widthOf(this.#flat(code))
  }

  #breakLine(indent: string): void {
    this.text = this.text.trimEnd() + this.#style.newLine + indent
    this.#column = indent.replaceAll('\t', '    ').length
  }

  #write(piece: string): void {
    this.text += piece
    this.#column += piece.length
  }
}

/** A string literal, in the quotes that need fewer escapes. */
function quoted(value: string, preferred: "'" | '"'): string {
  const other = preferred === "'" ? '"' : "'"
  const quote = countOf(value, preferred) > countOf(value, other) ? other : preferred
  const inner = JSON.stringify(value)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return quote + inner + quote
}

const countOf = (value: string, letter: string): number => value.split(letter).length - 1

/** A property of a value. */
export const memberCode = (value: string, name: string): Code =>
  isIdentifier(name) ? `${value}.${name}` : [value, '[', text(name), ']']

/** A key of an object literal or type. A plain `__proto__` would set the prototype. */
export function keyCode(name: string): Code {
  if (name === '__proto__') return ['[', text(name), ']']
  return isIdentifier(name) || /^(?:0|[1-9]\d{0,8})$/.test(name) ? name : text(name)
}

/** Data as a literal. */
export function valueCode(value: unknown): Code {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return list(['[', ']'], value.map(valueCode))
  if (typeof value !== 'object' || value === null) return String(value)
  return objectCode(Object.entries(value).map(([key, inner]) => [key, valueCode(inner)]))
}

/** An object literal; `broken` puts each entry on its own line. */
export const objectCode = (entries: readonly (readonly [string, Code])[], broken = false): Code =>
  list(
    ['{', '}'],
    entries.map(([key, code]) => [keyCode(key), ': ', code]),
    { broken },
  )
