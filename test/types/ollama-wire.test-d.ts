/** Our wire types of Ollama's API against those of the official client: what we send it takes, what it gets we read. */
import type { ChatRequest, ChatResponse, Message, Options, Tool, ToolCall } from 'ollama'
import { describe, expectTypeOf, it } from 'vitest'
import type {
  SentCall,
  SentMessage,
  SentOptions,
  SentTool,
  WireAnswer,
  WireCall,
  WireFunction,
  WireMessage,
  SentRequest,
} from '../../packages/toolwright/src/providers/ollama/wire-types.ts'

/** Theirs, not changed by anybody. */
type Fixed<T> = T extends (infer Item)[]
  ? readonly Fixed<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Fixed<T[Key]> }
    : T

describe('what we send', () => {
  it('is a request, apart from schemas, which their types know only in part', () => {
    type Sent = Omit<SentRequest, 'tools' | 'messages'>
    expectTypeOf<Sent>().toExtend<Fixed<Omit<ChatRequest, 'tools' | 'messages'>>>()
    expectTypeOf<SentOptions>().toExtend<Fixed<Partial<Options>>>()
    expectTypeOf<SentMessage>().toExtend<Fixed<Message>>()
    expectTypeOf<SentCall>().toExtend<Fixed<ToolCall>>()
    type Named = Omit<SentTool['function'], 'parameters'>
    expectTypeOf<Named>().toExtend<Fixed<Omit<Tool['function'], 'parameters'>>>()
  })

  it('has only fields that they know, and the ids of newer servers', () => {
    expectTypeOf<keyof SentRequest>().toExtend<keyof ChatRequest>()
    expectTypeOf<keyof SentOptions>().toExtend<keyof Options>()
    expectTypeOf<Exclude<keyof SentMessage, keyof Message>>().toEqualTypeOf<'tool_call_id'>()
    expectTypeOf<Exclude<keyof SentCall, keyof ToolCall>>().toEqualTypeOf<'id'>()
    expectTypeOf<keyof SentTool>().toEqualTypeOf<keyof Tool>()
    expectTypeOf<keyof SentTool['function']>().toExtend<keyof Tool['function']>()
  })
})

describe('what we read', () => {
  it('is an answer of theirs', () => {
    expectTypeOf<ChatResponse>().toExtend<WireAnswer>()
    expectTypeOf<Message>().toExtend<WireMessage>()
    expectTypeOf<ToolCall>().toExtend<WireCall>()
  })

  it('has only fields that they know, and the ids and numbers of newer servers', () => {
    expectTypeOf<keyof WireAnswer>().toExtend<keyof ChatResponse>()
    expectTypeOf<keyof WireMessage>().toExtend<keyof Message>()
    expectTypeOf<Exclude<keyof WireCall, keyof ToolCall>>().toEqualTypeOf<'id'>()
    expectTypeOf<Exclude<keyof WireFunction, keyof ToolCall['function']>>().toEqualTypeOf<'index'>()
  })
})
