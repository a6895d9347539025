/** The blocks of a Markdown text: what models write, not all that Markdown can do. HTML stays the text it is. */
import { type Inline, parseInline } from './markdown-inline.ts'

export type Block =
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly type: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | {
      readonly type: 'list'
      /** The number of the first item. Missing: the items have none. */
      readonly start?: number
      readonly items: readonly (readonly Block[])[]
    }
  | { readonly type: 'quote'; readonly children: readonly Block[] }
  | {
      readonly type: 'table'
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }
  | { readonly type: 'rule' }

const DEEPEST = 8
/** A table that is wider is text: each of its rows has a cell for each column. */
const MOST_COLUMNS = 100

// Read again with every piece that arrives, of a text that a model chose: none of these may look at anything twice.
const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/
const HEADING = /^ {0,3}(#{1,6})(?:\s([^]*))?$/
const RULE = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])(?:\s+|$)([^]*)$/
const QUOTE = /^ {0,3}> ?([^]*)$/
/** Without white space. */
const DELIMITERS = /^\|?:?-+:?(?:\|:?-+:?)*\|?$/

export const parseMarkdown = (text: string): readonly Block[] => blocksOf(text.split('\n'), 0)

/** The lines that are not read yet, and how deep inside of lists and quotes they are. */
interface Reading {
  readonly lines: readonly string[]
  readonly depth: number
  at: number
}

function blocksOf(lines: readonly string[], depth: number): readonly Block[] {
  const reading: Reading = { lines, depth, at: 0 }
  const blocks: Block[] = []
  while (reading.at < lines.length) {
    if (lines[reading.at]!.trim() === '') reading.at += 1
    else blocks.push(takeBlock(reading))
  }
  return blocks
}

function takeBlock(reading: Reading): Block {
  const line = reading.lines[reading.at]!
  const fence = FENCE.exec(line)
  if (fence) return takeCode(reading, fence)
  const heading = HEADING.exec(line)
  if (heading) {
    reading.at += 1
    return {
      type: 'heading',
      level: heading[1]!.length,
      children: parseInline(headingText(heading[2] ?? '')),
    }
  }
  if (RULE.test(line)) {
    reading.at += 1
    return { type: 'rule' }
  }
  if (reading.depth < DEEPEST) {
    if (QUOTE.test(line)) return takeQuote(reading)
    if (ITEM.test(line)) return takeList(reading)
  }
  return isTable(reading) ? takeTable(reading) : takeParagraph(reading)
}

/** Without the marks that may close it. */
function headingText(text: string): string {
  const whole = text.trim()
  let end = whole.length
  while (whole[end - 1] === '#') end -= 1
  return end === 0 || /\s/.test(whole[end - 1]!) ? whole.slice(0, end).trimEnd() : whole
}

/** A fence without an end goes to the end of the text: the rest has not arrived yet. */
function takeCode(reading: Reading, [, marker, info]: RegExpExecArray): Block {
  const text: string[] = []
  reading.at += 1
  while (reading.at < reading.lines.length) {
    const line = reading.lines[reading.at]!
    reading.at += 1
    if (isFenceEnd(line, marker!)) break
    text.push(line)
  }
  return { type: 'code', language: info!.trim(), text: text.join('\n') }
}

function isFenceEnd(line: string, marker: string): boolean {
  const fence = line.trim()
  if (fence.length < marker.length || line.search(/\S/) > 3) return false
  for (const character of fence) if (character !== marker[0]) return false
  return true
}

function takeQuote(reading: Reading): Block {
  const inside: string[] = []
  while (reading.at < reading.lines.length) {
    const quoted = QUOTE.exec(reading.lines[reading.at]!)
    if (!quoted) break
    inside.push(quoted[1]!)
    reading.at += 1
  }
  return { type: 'quote', children: blocksOf(inside, reading.depth + 1) }
}

function takeList(reading: Reading): Block {
  const [, indent, marker] = ITEM.exec(reading.lines[reading.at]!)!
  const isNumbered = /\d/.test(marker!)
  const items: (readonly Block[])[] = []
  while (reading.at < reading.lines.length) {
    const item = ITEM.exec(reading.lines[reading.at]!)
    if (!item || item[1]!.length < indent!.length || /\d/.test(item[2]!) !== isNumbered) break
    items.push(blocksOf(takeItem(reading, item), reading.depth + 1))
  }
  return { type: 'list', ...(isNumbered ? { start: Number.parseInt(marker!, 10) } : {}), items }
}

/** The lines of an item: what stands deeper than its marker, and what goes on right below it. */
function takeItem(reading: Reading, [, indent, , first]: RegExpExecArray): readonly string[] {
  const inside = [first!]
  const deeper = indent!.length + 2
  reading.at += 1
  while (reading.at < reading.lines.length) {
    const line = reading.lines[reading.at]!
    const isBlank = line.trim() === ''
    const isDeeper = !isBlank && line.length - line.trimStart().length >= deeper
    const goesOn = isBlank ? isInItem(reading, deeper) : isDeeper || isLazy(reading)
    if (!goesOn) break
    inside.push(isDeeper ? line.slice(deeper) : line)
    reading.at += 1
  }
  return inside
}

/** A blank line belongs to the item if what comes next does. */
function isInItem({ lines, at }: Reading, deeper: number): boolean {
  const next = lines[at + 1]
  return next !== undefined && next.trim() !== '' && /^\s*/.exec(next)![0].length >= deeper
}

function isLazy({ lines, at }: Reading): boolean {
  const line = lines[at]!
  return lines[at - 1]!.trim() !== '' && !beginsBlock(line)
}

function isTable({ lines, at }: Reading): boolean {
  const next = lines[at + 1]
  if (!lines[at]!.includes('|') || !next?.includes('-')) return false
  return DELIMITERS.test(next.replace(/\s+/g, '')) && cellsOf(lines[at]!).length <= MOST_COLUMNS
}

function takeTable(reading: Reading): Block {
  const head = cellsOf(reading.lines[reading.at]!)
  const rows: (readonly (readonly Inline[])[])[] = []
  reading.at += 2
  while (reading.lines[reading.at]?.includes('|')) {
    const cells = cellsOf(reading.lines[reading.at]!)
    rows.push(head.map((_, column) => cells[column] ?? []))
    reading.at += 1
  }
  return { type: 'table', head, rows }
}

const cellsOf = (line: string): readonly (readonly Inline[])[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')))

function takeParagraph(reading: Reading): Block {
  const begin = reading.at
  do reading.at += 1
  while (
    reading.at < reading.lines.length &&
    reading.lines[reading.at]!.trim() !== '' &&
    !beginsBlock(reading.lines[reading.at]!)
  )
  const lines = reading.lines.slice(begin, reading.at)
  return { type: 'paragraph', children: parseInline(lines.map((line) => line.trim()).join('\n')) }
}

const beginsBlock = (line: string): boolean =>
  [FENCE, HEADING, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line))
