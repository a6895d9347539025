/** What `openaiCompatible()` sends and reads, held against the types of OpenAI's own client. */
import type {
  ChatCompletion,
  ChatCompletionAssistantMessageParam,
  ChatCompletionChunk,
  ChatCompletionContentPart,
  ChatCompletionContentPartInputAudio,
  ChatCompletionCreateParamsBase,
  ChatCompletionFunctionTool,
  ChatCompletionMessage,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionToolChoiceOption,
  ChatCompletionToolMessageParam,
} from 'openai/resources/chat/completions/completions'
import type { CompletionUsage } from 'openai/resources/completions'
import { describe, expectTypeOf, it } from 'vitest'
import type {
  SentAssistant,
  SentCall,
  SentChoice,
  SentParameters,
  SentPart,
  SentResult,
  SentSpoken,
  WireAnswer,
  WireChoice,
  WireMessage,
  WireToolCall,
  WireUsage,
} from '../../packages/toolwright/src/providers/openai-compatible/wire-types.ts'

/** As JSON has it: nothing is readonly, and what is undefined is not there. */
type Sent<T> = T extends readonly (infer Item)[]
  ? Sent<Item>[]
  : T extends object
    ? { -readonly [key in keyof T]: Sent<Exclude<T[key], undefined>> }
    : T

type SentAudio = Extract<SentPart, { type: 'input_audio' }>

describe('what is sent', () => {
  it('is parts and messages as the client types them', () => {
    // Of sound they know two formats; other servers take more.
    expectTypeOf<Sent<Exclude<SentPart, SentAudio>>>().toExtend<ChatCompletionContentPart>()
    expectTypeOf<keyof SentAudio>().toExtend<keyof ChatCompletionContentPartInputAudio>()
    expectTypeOf<keyof SentAudio['input_audio']>().toEqualTypeOf<
      keyof ChatCompletionContentPartInputAudio['input_audio']
    >()
    expectTypeOf<Sent<SentResult>>().toExtend<ChatCompletionToolMessageParam>()
    expectTypeOf<Sent<SentCall>>().toExtend<ChatCompletionMessageFunctionToolCall>()
    type Assistant = Pick<SentAssistant, 'role' | 'tool_calls'>
    expectTypeOf<string | null>().toExtend<ChatCompletionAssistantMessageParam['content']>()
    expectTypeOf<Sent<Assistant>>().toExtend<ChatCompletionAssistantMessageParam>()
    expectTypeOf<SentSpoken['role']>().toExtend<ChatCompletionMessageParam['role']>()
  })

  it('is parameters as the client types them', () => {
    expectTypeOf<Sent<Omit<SentParameters, 'top_k'>>>().toExtend<
      Omit<ChatCompletionCreateParamsBase, 'messages' | 'model'>
    >()
    expectTypeOf<Sent<SentChoice>>().toExtend<ChatCompletionToolChoiceOption>()
  })

  it('has no field that the client does not know, but what other servers take', () => {
    type Unknown = Exclude<keyof SentParameters, keyof ChatCompletionCreateParamsBase>
    expectTypeOf<Unknown>().toEqualTypeOf<'top_k'>()
    type UnknownOfMessages = Exclude<keyof SentAssistant, keyof ChatCompletionAssistantMessageParam>
    expectTypeOf<UnknownOfMessages>().toEqualTypeOf<'reasoning_content' | 'reasoning'>()
    type UnknownOfCalls = Exclude<keyof SentCall, keyof ChatCompletionMessageFunctionToolCall>
    expectTypeOf<UnknownOfCalls>().toEqualTypeOf<'extra_content'>()
    expectTypeOf<'messages' | 'tools' | 'response_format'>().toExtend<
      keyof ChatCompletionCreateParamsBase
    >()
    expectTypeOf<'name' | 'description' | 'parameters' | 'strict'>().toExtend<
      keyof ChatCompletionFunctionTool['function']
    >()
  })
})

describe('what is read', () => {
  it('is an answer of theirs, whole and in chunks', () => {
    expectTypeOf<ChatCompletion>().toExtend<WireAnswer>()
    expectTypeOf<ChatCompletionChunk>().toExtend<WireAnswer>()
    expectTypeOf<ChatCompletion.Choice>().toExtend<WireChoice>()
    expectTypeOf<ChatCompletionChunk.Choice>().toExtend<WireChoice>()
    expectTypeOf<ChatCompletionMessage>().toExtend<WireMessage>()
    expectTypeOf<ChatCompletionChunk.Choice.Delta.ToolCall>().toExtend<WireToolCall>()
    expectTypeOf<CompletionUsage>().toExtend<WireUsage>()
  })

  it('is what they had when the adapter was written: a new ending shows here', () => {
    type Endings = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call'
    expectTypeOf<ChatCompletion.Choice['finish_reason']>().toEqualTypeOf<Endings>()
    type Fields = 'content' | 'refusal' | 'role' | 'annotations' | 'audio' | 'function_call'
    expectTypeOf<keyof ChatCompletionMessage>().toEqualTypeOf<Fields | 'tool_calls'>()
  })
})
