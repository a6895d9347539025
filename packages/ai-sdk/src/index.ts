/** The door: language models of the AI SDK as models of toolwright. */
export { fromAiSdk } from './from-ai-sdk.ts'
export type { FromAiSdkOptions } from './from-ai-sdk.ts'
export type { AiSdkLanguageModel } from './language-model.ts'
