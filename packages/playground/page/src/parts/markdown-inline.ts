/**
 * What stands inside a line of Markdown. Each character is looked at a bounded number of times, because the text comes from
 * a model and is read again with every piece that arrives.
 */
export type Inline =
  | { readonly type: 'text' | 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis'; readonly children: readonly Inline[] }
  /** Links and pictures: the address is shown, never opened. */
  | { readonly type: 'address'; readonly text: string; readonly address: string }

const DEEPEST = 6

export function parseInline(source: string, depth = 0): readonly Inline[] {
  const found: Inline[] = []
  // Markers that have no end in the rest of the text are not looked for again.
  const endless = new Set<string>()
  let plain = ''
  let at = 0
  while (at < source.length) {
    const taken = depth < DEEPEST ? takeAt(source, at, { depth, endless }) : undefined
    if (!taken) {
      plain += source[at]
      at += 1
      continue
    }
    if (taken.node) {
      if (plain) found.push({ type: 'text', text: plain })
      plain = ''
      found.push(taken.node)
    } else plain += source.slice(at + (source[at] === '\\' ? 1 : 0), taken.end)
    at = taken.end
  }
  if (plain) found.push({ type: 'text', text: plain })
  return found
}

interface Reading {
  readonly depth: number
  readonly endless: Set<string>
}

/** Without a node: plain text up to the end. */
interface Taken {
  readonly node?: Inline
  readonly end: number
}

function takeAt(source: string, at: number, reading: Reading): Taken | undefined {
  switch (source[at]) {
    case '\\':
      return /[!-/:-@[-`{-~]/.test(source[at + 1] ?? '') ? { end: at + 2 } : undefined
    case '`':
      return takeCode(source, at, reading)
    case '*':
    case '_':
      return takeEmphasis(source, at, reading)
    case '!':
      return source[at + 1] === '[' ? takeAddress(source, at + 1, reading) : undefined
    case '[':
      return takeAddress(source, at, reading)
    default:
      return undefined
  }
}

function takeCode(source: string, at: number, { endless }: Reading): Taken {
  const marker = runOf(source, at)
  const begin = at + marker.length
  if (endless.has(marker)) return { end: begin }
  let end = source.indexOf(marker, begin)
  while (end !== -1 && runOf(source, end).length !== marker.length) {
    end = source.indexOf(marker, end + runOf(source, end).length)
  }
  if (end === -1) {
    endless.add(marker)
    return { end: begin }
  }
  return {
    node: { type: 'code', text: source.slice(begin, end).replaceAll('\n', ' ').trim() },
    end: end + marker.length,
  }
}

function takeEmphasis(source: string, at: number, { depth, endless }: Reading): Taken {
  const run = runOf(source, at)
  const begin = at + run.length
  // Only an underscore at the edge of a word is one; names like a_b_c are names.
  const isInsideWord = run[0] === '_' && isWord(source[at - 1])
  if (run.length > 3 || isSpace(source[begin]) || isInsideWord || endless.has(run)) {
    return { end: begin }
  }
  const end = closingOf(source, begin, run)
  if (end === -1) {
    endless.add(run)
    return { end: begin }
  }
  const children = parseInline(source.slice(begin, end), depth + 1)
  const emphasis: Inline = { type: 'emphasis', children }
  const strong: Inline = { type: 'strong', children: run.length === 3 ? [emphasis] : children }
  return { node: run.length === 1 ? emphasis : strong, end: end + run.length }
}

function closingOf(source: string, begin: number, run: string): number {
  let end = source.indexOf(run, begin)
  while (end !== -1) {
    const closes = runOf(source, end)
    const after = source[end + closes.length]
    // Three close two kinds at once: the inner one has those that come first.
    const fits = closes.length === run.length || closes.length === 3
    const isEdge = !isSpace(source[end - 1]) && !(run[0] === '_' && isWord(after))
    if (fits && isEdge && end > begin) return end + closes.length - run.length
    end = source.indexOf(run, end + closes.length)
  }
  return -1
}

function takeAddress(source: string, open: number, { endless }: Reading): Taken | undefined {
  if (endless.has('](')) return undefined
  const middle = endOfText(source, open + 1)
  if (middle === -1) return undefined
  const close = source.indexOf(')', middle)
  if (close === -1) {
    endless.add('](')
    return undefined
  }
  const text = source.slice(open + 1, middle)
  const address = source
    .slice(middle + 2, close)
    .trim()
    .split(/\s/)[0]!
  return { node: { type: 'address', text, address }, end: close + 1 }
}

/** Where an address begins. Not beyond the next text that may have one: that looks by itself. */
function endOfText(source: string, begin: number): number {
  for (let at = begin; at < source.length; at += 1) {
    const character = source[at]
    if (character === '[' || character === '\n') return -1
    if (character === ']' && source[at + 1] === '(') return at
  }
  return -1
}

function runOf(source: string, at: number): string {
  let end = at
  while (source[end] === source[at]) end += 1
  return source.slice(at, end)
}

const isSpace = (character: string | undefined): boolean =>
  character === undefined || /\s/.test(character)
const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)
