/**
 * What is sent fits the types of the AI SDK, and what may come is in the tables: checked by the compiler against
 * `@ai-sdk/provider` and against the models of packages of each version.
 */
import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV2Content,
  LanguageModelV2StreamPart,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { AiSdkLanguageModel } from '@toolwright/ai-sdk'
import type { createOpenAICompatible as createV2 } from 'ai-sdk-compatible-v2'
import type { createOpenAICompatible as createV3 } from 'ai-sdk-compatible-v3'
import type { createOpenAICompatible as createV4 } from 'ai-sdk-compatible-v4'
import { expect, expectTypeOf, it } from 'vitest'
import { CONTENT } from './from-content.ts'
import type { SentOptions } from './sent-types.ts'
import { STREAM_PARTS } from './streamed-answer.ts'

it('every version takes what is sent', () => {
  expectTypeOf<SentOptions<'v2'>>().toExtend<LanguageModelV2CallOptions>()
  expectTypeOf<SentOptions<'v3'>>().toExtend<LanguageModelV3CallOptions>()
  expectTypeOf<SentOptions<'v4'>>().toExtend<LanguageModelV4CallOptions>()
  // One version does not take what another is sent, or the check would prove nothing.
  expectTypeOf<SentOptions<'v4'>>().not.toExtend<LanguageModelV3CallOptions>()
  expectTypeOf<SentOptions<'v3'>>().not.toExtend<LanguageModelV2CallOptions>()
})

it('models of every version and package are taken', () => {
  expectTypeOf<LanguageModelV2>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<LanguageModelV3>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<LanguageModelV4>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<ModelOf<typeof createV2>>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<ModelOf<typeof createV3>>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<ModelOf<typeof createV4>>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<string>().not.toExtend<AiSdkLanguageModel>()
})

type ModelOf<Create extends (...given: never[]) => (...given: never[]) => unknown> = ReturnType<
  ReturnType<Create>
>

type ContentType = (
  LanguageModelV2Content | LanguageModelV3Content | LanguageModelV4Content
)['type']
type StreamPartType = (
  LanguageModelV2StreamPart | LanguageModelV3StreamPart | LanguageModelV4StreamPart
)['type']

/** The compiler holds these to the unions of the AI SDK: a type that is added or renamed does not compile. */
const CONTENT_TYPES: { readonly [type in ContentType]: true } = {
  text: true,
  reasoning: true,
  file: true,
  'reasoning-file': true,
  source: true,
  custom: true,
  'tool-call': true,
  'tool-result': true,
  'tool-approval-request': true,
}
const STREAM_PART_TYPES: { readonly [type in StreamPartType]: true } = {
  'stream-start': true,
  'response-metadata': true,
  'text-start': true,
  'text-delta': true,
  'text-end': true,
  'reasoning-start': true,
  'reasoning-delta': true,
  'reasoning-end': true,
  'tool-input-start': true,
  'tool-input-delta': true,
  'tool-input-end': true,
  'tool-call': true,
  'tool-result': true,
  'tool-approval-request': true,
  file: true,
  'reasoning-file': true,
  source: true,
  custom: true,
  finish: true,
  error: true,
  raw: true,
  ping: true,
}

it('the tables know every type, and no other', () => {
  expect(Object.keys(CONTENT).sort()).toEqual(Object.keys(CONTENT_TYPES).sort())
  expect(Object.keys(STREAM_PARTS).sort()).toEqual(Object.keys(STREAM_PART_TYPES).sort())
})
