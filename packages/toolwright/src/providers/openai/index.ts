/** `toolwright/openai`: models that speak OpenAI's dialects, the Responses API and Chat Completions. */
export { openai, type OpenAiOptions } from './openai.ts'
export {
  openaiCompatible,
  openaiCompatibleEmbeddings,
  type OpenAiCompatibleEmbeddingsOptions,
  type OpenAiCompatibleOptions,
} from '../openai-compatible/index.ts'
