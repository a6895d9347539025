/** What `openai()` sends and reads, held against the types of OpenAI's own client. */
import type {
  FunctionTool,
  Response,
  ResponseCreateParamsBase,
  ResponseFormatTextJSONSchemaConfig,
  ResponseFunctionToolCall,
  ResponseInputContent,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseFunctionCallOutputItem,
} from 'openai/resources/responses/responses'
import { describe, expectTypeOf, it } from 'vitest'
import type {
  WireCall,
  WireContent,
  WireFormat,
  WireItem,
  WireParameters,
  WireResponse,
  WireResult,
  WireSaid,
  WireSpoken,
  WireTool,
  WireToolChoice,
} from '../../packages/toolwright/src/providers/openai/wire-types.ts'

/** As JSON has it: nothing is readonly, and what is undefined is not there. */
type Sent<T> = T extends readonly (infer Item)[]
  ? Sent<Item>[]
  : T extends object
    ? { -readonly [key in keyof T]: Sent<Exclude<T[key], undefined>> }
    : T

/** The names that an object of the client can have. */
type Names<T> = T extends unknown ? keyof T : never

describe('what is sent', () => {
  it('is content as the client types it, in questions and in results', () => {
    expectTypeOf<Sent<WireContent>>().toExtend<ResponseInputContent>()
    expectTypeOf<Sent<WireContent>>().toExtend<ResponseFunctionCallOutputItem>()
    expectTypeOf<Sent<WireSaid>>().toExtend<ResponseOutputMessage['content'][number]>()
  })

  it('is items as the client types them', () => {
    expectTypeOf<Sent<WireSpoken>>().toExtend<ResponseInputItem>()
    expectTypeOf<Sent<WireCall>>().toExtend<ResponseFunctionToolCall>()
    expectTypeOf<Sent<WireResult>>().toExtend<ResponseInputItem.FunctionCallOutput>()
  })

  it('is parameters, tools and formats as the client types them', () => {
    expectTypeOf<Sent<WireParameters>>().toExtend<ResponseCreateParamsBase>()
    expectTypeOf<Sent<WireTool>>().toExtend<Omit<FunctionTool, 'parameters'>>()
    expectTypeOf<Sent<WireToolChoice>>().toExtend<
      NonNullable<ResponseCreateParamsBase['tool_choice']>
    >()
    expectTypeOf<Sent<WireFormat>>().toExtend<Omit<ResponseFormatTextJSONSchemaConfig, 'schema'>>()
  })

  it('has no field that the client does not know', () => {
    expectTypeOf<keyof WireParameters>().toExtend<keyof ResponseCreateParamsBase>()
    expectTypeOf<keyof WireTool>().toExtend<keyof FunctionTool>()
    expectTypeOf<keyof WireFormat>().toExtend<keyof ResponseFormatTextJSONSchemaConfig>()
    expectTypeOf<Names<WireContent>>().toExtend<Names<ResponseInputContent>>()
    expectTypeOf<'store' | 'include' | 'input' | 'text' | 'tools'>().toExtend<
      keyof ResponseCreateParamsBase
    >()
    expectTypeOf<'reasoning.encrypted_content'>().toExtend<
      NonNullable<ResponseCreateParamsBase['include']>[number]
    >()
  })
})

describe('what is read', () => {
  it('is items with a type, and a response with these fields', () => {
    expectTypeOf<ResponseOutputItem['type']>().toExtend<WireItem['type']>()
    type Read = 'id' | 'model' | 'status' | 'incomplete_details' | 'usage' | 'output' | 'error'
    expectTypeOf<Read>().toExtend<keyof Response>()
    expectTypeOf<Pick<WireResponse, 'id'>>().toExtend<{ readonly id?: unknown }>()
  })
})
