/** What `anthropic()` sends and reads, held against the types of Anthropic's own client. */
import type {
  Base64ImageSource,
  ContentBlock,
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  Message,
  MessageCreateParamsBase,
  RawContentBlockDelta,
  RawMessageStreamEvent,
  StopReason,
  TextBlockParam,
  Tool,
  ToolChoice,
  ToolResultBlockParam,
  ToolUseBlockParam,
  Usage,
} from '@anthropic-ai/sdk/resources/messages/messages'
import { describe, expectTypeOf, it } from 'vitest'
import type {
  SentCall,
  SentChoice,
  SentResult,
  SentSettings,
  SentSource,
  SentText,
  SentTool,
  WireBlock,
  WireMessage,
} from '../../packages/toolwright/src/providers/anthropic/wire-types.ts'

/** As JSON has it: nothing is readonly, and what is undefined is not there. */
type Sent<T> = T extends readonly (infer Item)[]
  ? Sent<Item>[]
  : T extends object
    ? { -readonly [key in keyof T]: Sent<Exclude<T[key], undefined>> }
    : T

/** With any type of media: theirs are the few that the API takes, which is the caller's to know. */
type Source = Exclude<ImageBlockParam['source'] | DocumentBlockParam['source'], Base64ImageSource>

/** The client names them no longer. */
type OfOlderModels = 'temperature' | 'top_p' | 'top_k'

describe('what is sent', () => {
  it('is blocks as the client types them', () => {
    expectTypeOf<Sent<SentText>>().toExtend<TextBlockParam>()
    expectTypeOf<Sent<SentResult>>().toExtend<ToolResultBlockParam>()
    expectTypeOf<Sent<SentCall>>().toExtend<Omit<ToolUseBlockParam, 'input'>>()
    expectTypeOf<Sent<Extract<SentSource, { type: 'text' | 'url' }>>>().toExtend<Source>()
    type Inline = Extract<SentSource, { type: 'base64' }>
    expectTypeOf<keyof Inline>().toEqualTypeOf<keyof Base64ImageSource>()
    type Kinds = ContentBlockParam['type']
    type Used = 'text' | 'image' | 'document' | 'tool_use' | 'tool_result' | 'thinking'
    expectTypeOf<Used | 'redacted_thinking'>().toExtend<Kinds>()
  })

  it('is settings and tools as the client types them', () => {
    expectTypeOf<Sent<Omit<SentSettings, OfOlderModels>>>().toExtend<
      Omit<MessageCreateParamsBase, 'messages'>
    >()
    expectTypeOf<Sent<SentChoice>>().toExtend<ToolChoice>()
    expectTypeOf<Sent<Omit<SentTool, 'input_schema' | 'input_examples'>>>().toExtend<
      Omit<Tool, 'input_schema'>
    >()
  })

  it('has no field that the client does not know', () => {
    type Unknown = Exclude<keyof SentSettings, keyof MessageCreateParamsBase>
    expectTypeOf<Unknown>().toEqualTypeOf<OfOlderModels>()
    expectTypeOf<'messages' | 'system' | 'tools' | 'output_config'>().toExtend<
      keyof MessageCreateParamsBase
    >()
    expectTypeOf<keyof SentTool>().toExtend<keyof Tool>()
    expectTypeOf<keyof SentResult | 'content'>().toExtend<keyof ToolResultBlockParam>()
    expectTypeOf<keyof SentCall | 'input'>().toExtend<keyof ToolUseBlockParam>()
  })
})

describe('what is read', () => {
  it('is a message and blocks with a type', () => {
    expectTypeOf<Pick<Message, 'id' | 'model' | 'stop_reason'>>().toExtend<
      Pick<WireMessage, 'id' | 'model' | 'stop_reason'>
    >()
    expectTypeOf<ContentBlock['type']>().toExtend<WireBlock['type']>()
    type Counts = 'input_tokens' | 'output_tokens' | 'cache_read_input_tokens'
    expectTypeOf<Counts | 'cache_creation_input_tokens'>().toExtend<keyof Usage>()
  })

  it('is what they had when the adapter was written: a new event, delta or ending shows here', () => {
    type Events = 'message_start' | 'message_delta' | 'message_stop'
    type Blocks = 'content_block_start' | 'content_block_delta' | 'content_block_stop'
    expectTypeOf<Events | Blocks>().toExtend<RawMessageStreamEvent['type']>()
    type Deltas = 'text_delta' | 'input_json_delta' | 'citations_delta' | 'thinking_delta'
    expectTypeOf<RawContentBlockDelta['type']>().toEqualTypeOf<Deltas | 'signature_delta'>()
    type Endings = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'pause_turn'
    expectTypeOf<StopReason>().toEqualTypeOf<
      Endings | 'refusal' | 'model_context_window_exceeded'
    >()
  })
})
