/** What differs between two texts, line by line, as `diff -u` shows it. */
const CONTEXT = 2

interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** Empty where the texts are equal; `-` was before, `+` is now. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return ''
  const lines = diff(before.split('\n'), after.split('\n'))
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== ' ')
  const shown = lines.flatMap(({ sign, text }, index) => {
    if (isNear(index)) return [`${sign} ${text}`]
    return index > 0 && isNear(index - 1) ? ['  …'] : []
  })
  return shown.join('\n')
}

function diff(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let [endBefore, endAfter] = [before.length, after.length]
  while (Math.min(endBefore, endAfter) > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore--
    endAfter--
  }
  return [
    ...before.slice(0, start).map(same),
    ...changes(before.slice(start, endBefore), after.slice(start, endAfter)),
    ...before.slice(endBefore).map(same),
  ]
}

const same = (text: string): Line => ({ sign: ' ', text })

/** Keeps the longest run of lines that both have. */
function changes(before: readonly string[], after: readonly string[]): Line[] {
  const common = commonLengths(before, after)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push(same(before[i++]!))
      j++
    } else if (
      j === after.length ||
      (i < before.length && common[i + 1]![j]! >= common[i]![j + 1]!)
    )
      lines.push({ sign: '-', text: before[i++]! })
    else lines.push({ sign: '+', text: after[j++]! })
  }
  return lines
}

/** How many lines the rests from [i] and [j] on have in common. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      table[i]![j] =
        before[i] === after[j]
          ? table[i + 1]![j + 1]! + 1
          : Math.max(table[i + 1]![j]!, table[i]![j + 1]!)
  return table
}
