/** `toolwright/tool-search`: thousands of tools behind one search tool. */

// The advisor
export { toolSearchAdvisor } from './advisor/tool-search-advisor.ts'
export type { ToolSearchAdvisor } from './advisor/tool-search-advisor.ts'
export type { ToolSearchAdvisorOptions } from './advisor/search-settings.ts'

// When sessions are forgotten
export { always, anyOf, lru, never, ttl } from './eviction.ts'
export type { EvictionStrategy } from './eviction.ts'

// Indexes
export type {
  FoundTool,
  ToolIndex,
  ToolReference,
  ToolSearchRequest,
  ToolSearchResult,
} from './tool-index.ts'
export { keywordToolIndex } from './keyword/keyword-tool-index.ts'
export { regexToolIndex } from './regex/regex-tool-index.ts'
export { embeddingToolIndex } from './embedding/embedding-tool-index.ts'
export type { EmbeddingToolIndexOptions } from './embedding/embedding-tool-index.ts'
export { hybridToolIndex } from './hybrid-tool-index.ts'

// Vectors
export type { EmbeddingModel, EmbeddingRun } from '../model/embedding-model.ts'
export { cachedEmbeddings } from './embedding/cached-embeddings.ts'
export type { CachedEmbeddingsOptions } from './embedding/cached-embeddings.ts'
export { fileVectorCache } from './node/file-vector-cache.ts'
export type { VectorCache } from './embedding/vector-cache.ts'

// Reports
export { toolTokens } from './tool-tokens.ts'
export type { ToolTokensOptions } from './tool-tokens.ts'
