/** Chat Completions and embeddings of any server that speaks OpenAI's older dialect. Handed out by `toolwright/openai`. */
export { openaiCompatible, type OpenAiCompatibleOptions } from './openai-compatible.ts'
export {
  openaiCompatibleEmbeddings,
  type OpenAiCompatibleEmbeddingsOptions,
} from './openai-compatible-embeddings.ts'
