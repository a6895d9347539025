/** Numbers in digits and in words. */

const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety half couple dozen hundred thousand million'.split(' ') // prettier-ignore
// "The large one" is no number.
const NUMBER_WORD = `(?:${NUMBER_WORDS.join('|')})\\b(?<!one(?!\\s+\\p{L}))`

export const NUMBER = new RegExp(
  `(?<![\\w.-])-?\\d+(?:,\\d{3})*(?:\\.\\d+)?(?:\\s?(?:k|m|thousand|million)\\b)?|\\b${NUMBER_WORD}(?:[\\s-]${NUMBER_WORD})*`,
  'giu',
)

const SCALES = new Map([['dozen', 12], ['hundred', 100], ['thousand', 1e3], ['k', 1e3], ['million', 1e6], ['m', 1e6]]) // prettier-ignore
const ODD = new Map([['half', 0.5], ['couple', 2]]) // prettier-ignore

/** "2,500", "2.5k", "twenty-five", "a hundred". */
export function numberIn(text: string): number {
  const words =
    text
      .toLowerCase()
      .replaceAll(',', '')
      .match(/-?\d+(?:\.\d+)?|[a-z]+/g) ?? []
  return words.reduce((sum, word) => {
    const scale = SCALES.get(word)
    if (scale) return (sum || 1) * scale
    const at = NUMBER_WORDS.indexOf(word)
    return sum + (ODD.get(word) ?? (at < 0 ? Number(word) : at <= 20 ? at : (at - 18) * 10))
  }, 0)
}
