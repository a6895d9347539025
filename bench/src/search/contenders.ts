/** Who is measured: every index of the library, and two yardsticks. */
import MiniSearch from 'minisearch'
import type { ToolDefinition } from 'toolwright'
import {
  embeddingToolIndex,
  hybridToolIndex,
  keywordToolIndex,
  regexToolIndex,
  type EmbeddingModel,
  type ToolIndex,
} from 'toolwright/tool-search'
import { textbookBm25 } from './textbook-bm25.ts'

export type Search = (query: string, k: number) => readonly string[] | Promise<readonly string[]>

export interface Contender {
  readonly name: string
  build(tools: readonly ToolDefinition[]): Promise<Search>
}

export const MINISEARCH = 'MiniSearch default'
export const KEYWORD = 'keyword'
export const HYBRID = 'hybrid .75/.25'

export function contenders(embeddings: EmbeddingModel | undefined): Contender[] {
  const own: Contender[] = [
    { name: KEYWORD, build: (tools) => ofIndex(keywordToolIndex(), tools) },
    { name: 'regex (words)', build: (tools) => ofIndex(regexToolIndex(), tools) },
  ]
  if (embeddings) {
    const vectors = (): ToolIndex => embeddingToolIndex({ model: embeddings, timeoutMs: 3_600_000 })
    own.push(
      { name: 'embedding', build: (tools) => ofIndex(vectors(), tools) },
      {
        name: HYBRID,
        build: (tools) =>
          ofIndex(
            hybridToolIndex([
              [keywordToolIndex(), 0.75],
              [vectors(), 0.25],
            ]),
            tools,
          ),
      },
    )
  }
  return [
    ...own,
    { name: MINISEARCH, build: async (tools) => miniSearch(tools) },
    { name: 'textbook BM25', build: async (tools) => textbookBm25(tools) },
  ]
}

async function ofIndex(index: ToolIndex, tools: readonly ToolDefinition[]): Promise<Search> {
  await index.index('bench', tools)
  return async (query, maxResults) => {
    const { references } = await index.search({ session: 'bench', query, maxResults })
    return references.map(({ name }) => name)
  }
}

/** As its documentation starts: fields, and nothing else set. */
function miniSearch(tools: readonly ToolDefinition[]): Search {
  const index = new MiniSearch<ToolDefinition & { readonly id: number }>({
    fields: ['name', 'description'],
  })
  index.addAll(tools.map((tool, id) => ({ ...tool, id })))
  return (query, k) =>
    index
      .search(query)
      .slice(0, k)
      .map(({ id }) => tools[id as number]!.name)
}
