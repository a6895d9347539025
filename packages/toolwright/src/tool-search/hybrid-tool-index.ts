/**
 * Asks several indexes at once and adds up their scores, scaled and weighted. An index that fails is left
 * out, with a notice.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { byScore } from './best-first.ts'
import {
  DEFAULT_MAX_RESULTS,
  type FoundTool,
  type ToolIndex,
  type ToolSearchRequest,
  type ToolSearchResult,
} from './tool-index.ts'

/**
 * How many results each index is asked for at least: a tool in the middle of two lists may be the best
 * overall.
 */
const POOL = 50

/**
 * Asks several indexes and weighs what they say. Give the words the larger part, unless you know your
 * embedding model to be the better judge of tools.
 *
 * @example
 * const index = hybridToolIndex([
 *   [keywordToolIndex(), 0.75],
 *   [embeddingToolIndex({ model }), 0.25],
 * ])
 */
export function hybridToolIndex(
  indexes: readonly (readonly [index: ToolIndex, weight: number])[],
): ToolIndex {
  if (indexes.length === 0 || indexes.some(([, weight]) => !(weight > 0 && weight < Infinity)))
    throw new ConfigurationError(
      'invalid-option',
      'hybridToolIndex() takes pairs of an index and a weight above 0.',
    )
  const changeAll = async (change: (index: ToolIndex) => Promise<void>): Promise<void> => {
    await Promise.all(indexes.map(([index]) => change(index)))
  }
  return {
    index: (session, references) => changeAll((index) => index.index(session, references)),
    remove: (session, names) => changeAll((index) => index.remove(session, names)),
    clear: (session) => changeAll((index) => index.clear(session)),
    async search(request) {
      const { maxResults = DEFAULT_MAX_RESULTS } = request
      const poolRequest = { ...request, maxResults: Math.max(POOL, maxResults * 2) }
      // A wrong maxResults is passed on, so that the first index rejects it as usual.
      if (!(maxResults >= 1)) return indexes[0]![0].search(request)
      const answers = await Promise.all(indexes.map(([index]) => answerOf(index, poolRequest)))
      if (answers.every(({ failure }) => failure)) throw answers[0]!.failure!.thrown
      const fused = fuse(answers.map(({ references }, at) => [references, indexes[at]![1]]))
      const notices = answers.flatMap(({ notice }) => notice ?? [])
      return {
        references: fused.slice(0, maxResults),
        total: Math.max(fused.length, ...answers.map(({ total }) => total)),
        ...(notices.length > 0 && { notice: notices.join(' ') }),
      }
    },
  }
}

interface Answer extends ToolSearchResult {
  readonly failure?: { readonly thrown: unknown }
}

async function answerOf(index: ToolIndex, request: ToolSearchRequest): Promise<Answer> {
  try {
    return await index.search(request)
  } catch (thrown) {
    const notice = `One of the indexes failed and was left out: ${redact(messageOfThrown(thrown))}`
    return { references: [], total: 0, notice, failure: { thrown } }
  }
}

/**
 * Adds up the scores. In each index the best result counts 1 and the last of its pool 0, whatever scale it
 * uses.
 */
function fuse(answers: readonly (readonly [readonly FoundTool[], weight: number])[]): FoundTool[] {
  const fused = new Map<string, FoundTool>()
  for (const [references, weight] of answers) {
    const highest = references[0]?.score ?? 0
    const lowest = references.length > 1 ? references.at(-1)!.score : 0
    for (const { name, score, summary } of references) {
      const part = highest > lowest ? (score - lowest) / (highest - lowest) : 1
      const sum = (fused.get(name)?.score ?? 0) + weight * part
      fused.set(name, { name, score: sum, summary })
    }
  }
  return [...fused.values()].sort(byScore)
}
