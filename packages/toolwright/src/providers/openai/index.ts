/** `toolwright/openai`: models that speak OpenAI's dialects. */
export {
  openaiCompatible,
  openaiCompatibleEmbeddings,
  type OpenAiCompatibleEmbeddingsOptions,
  type OpenAiCompatibleOptions,
} from '../openai-compatible/index.ts'
