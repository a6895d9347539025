/**
 * Finds tools by their words. This is the default choice: fast, offline, and well suited to how tools are
 * described.
 */
import { sessionIndex } from '../session-index.ts'
import type { ToolIndex } from '../tool-index.ts'
import { KeywordCatalogue } from './keyword-catalogue.ts'

/**
 * An index by words: names, descriptions, parameters and examples, ranked by BM25F, with English stems,
 * synonyms and tolerance for typing errors. Other languages are searched by words or pairs of letters.
 *
 * @example
 * const index = keywordToolIndex()
 * await index.index('session', [{ name: 'getWeather', description: 'Current weather of a city' }])
 * const { references } = await index.search({ session: 'session', query: 'temperature in Paris' })
 */
export const keywordToolIndex = (): ToolIndex => sessionIndex(() => new KeywordCatalogue())
