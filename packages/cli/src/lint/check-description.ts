/** Checks that a description says more than the name, because models choose by it. */
import type { ToolCheck } from './finding.ts'

const FEWEST_WORDS = 3
// Also splits scripts that are written without spaces.
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

export const checkDescription: ToolCheck = ({ name, description }) => {
  const fix = 'Say what it does and when to use it, in a sentence.'
  const finding = (said: string) => [
    { rule: 'description' as const, tool: name, message: `${name} ${said}`, fix },
  ]
  const wordCount = [...segmenter.segment(description)].filter(
    ({ isWordLike }) => isWordLike,
  ).length
  if (wordCount === 0) return finding('has no description.')
  // Without a description the library uses the name in words.
  if (letters(description) === letters(name)) return finding('has no description but its name.')
  if (wordCount >= FEWEST_WORDS) return []
  return finding(
    `is described in ${wordCount === 1 ? 'one word' : `${wordCount} words`}: "${description.trim()}".`,
  )
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
