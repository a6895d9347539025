/** `toolwright/openai`: models that speak OpenAI's dialects. */
export { openaiCompatible, type OpenAiCompatibleOptions } from './openai-compatible.ts'
