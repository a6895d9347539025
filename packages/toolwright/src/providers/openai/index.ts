/** `toolwright/openai`: models that speak OpenAI's dialects. */
export { openaiCompatible, type OpenAiCompatibleOptions } from './openai-compatible.ts'
export {
  openaiCompatibleEmbeddings,
  type OpenAiCompatibleEmbeddingsOptions,
} from './openai-compatible-embeddings.ts'
