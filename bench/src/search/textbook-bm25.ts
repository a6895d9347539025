/** BM25 as the textbooks have it: name and description, words as they stand, nothing tuned. A yardstick. */
import type { ToolDefinition } from 'toolwright'

const K1 = 1.2
const B = 0.75

export function textbookBm25(
  tools: readonly ToolDefinition[],
): (query: string, k: number) => string[] {
  const documents = tools.map(({ name, description }) => wordsOf(`${name} ${description}`))
  const average = documents.reduce((sum, words) => sum + words.length, 0) / documents.length
  const postings = new Map<string, Map<number, number>>()
  documents.forEach((words, document) => {
    for (const word of words) {
      const posting = postings.get(word) ?? new Map<number, number>()
      posting.set(document, (posting.get(document) ?? 0) + 1)
      postings.set(word, posting)
    }
  })
  return (query, k) => {
    const scores = new Map<number, number>()
    for (const word of wordsOf(query)) {
      const posting = postings.get(word)
      if (!posting) continue
      const idf = Math.log(1 + (documents.length - posting.size + 0.5) / (posting.size + 0.5))
      for (const [document, count] of posting) {
        const norm = K1 * (1 - B + (B * documents[document]!.length) / average)
        scores.set(
          document,
          (scores.get(document) ?? 0) + (idf * count * (K1 + 1)) / (count + norm),
        )
      }
    }
    const ranked = [...scores].sort((a, b) => b[1] - a[1]).slice(0, k)
    return ranked.map(([document]) => tools[document]!.name)
  }
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
