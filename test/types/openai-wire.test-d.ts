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
  SentCall,
  SentContent,
  SentFormat,
  WireItem,
  SentParameters,
  WireResponse,
  SentResult,
  SentSaid,
  SentSpoken,
  SentTool,
  SentChoice,
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
    expectTypeOf<Sent<SentContent>>().toExtend<ResponseInputContent>()
    expectTypeOf<Sent<SentContent>>().toExtend<ResponseFunctionCallOutputItem>()
    expectTypeOf<Sent<SentSaid>>().toExtend<ResponseOutputMessage['content'][number]>()
  })

  it('is items as the client types them', () => {
    expectTypeOf<Sent<SentSpoken>>().toExtend<ResponseInputItem>()
    expectTypeOf<Sent<SentCall>>().toExtend<ResponseFunctionToolCall>()
    expectTypeOf<Sent<SentResult>>().toExtend<ResponseInputItem.FunctionCallOutput>()
  })

  it('is parameters, tools and formats as the client types them', () => {
    expectTypeOf<Sent<SentParameters>>().toExtend<ResponseCreateParamsBase>()
    expectTypeOf<Sent<SentTool>>().toExtend<Omit<FunctionTool, 'parameters'>>()
    expectTypeOf<Sent<SentChoice>>().toExtend<
      NonNullable<ResponseCreateParamsBase['tool_choice']>
    >()
    expectTypeOf<Sent<SentFormat>>().toExtend<Omit<ResponseFormatTextJSONSchemaConfig, 'schema'>>()
  })

  it('has no field that the client does not know', () => {
    expectTypeOf<keyof SentParameters>().toExtend<keyof ResponseCreateParamsBase>()
    expectTypeOf<keyof SentTool>().toExtend<keyof FunctionTool>()
    expectTypeOf<keyof SentFormat>().toExtend<keyof ResponseFormatTextJSONSchemaConfig>()
    expectTypeOf<Names<SentContent>>().toExtend<Names<ResponseInputContent>>()
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
