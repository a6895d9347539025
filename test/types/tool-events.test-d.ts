/** What the compiler knows about the events of a run whose tools it was told. */
import {
  isCallOf,
  tool,
  type CallRun,
  type ChatEvent,
  type ChatEventOf,
  type StreamRun,
  type ToolCallback,
} from 'toolwright'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

declare const run: StreamRun
declare const called: CallRun

const weather = tool({
  name: 'weather',
  input: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, degrees: 21 }),
})
const clock = tool({ name: 'clock', execute: () => 'noon' })
const nameless = tool({ input: z.object({ n: z.number() }), execute: ({ n }) => n })
export const tools = [weather, clock]
export const record = { weather, counter: nameless }

type Of<Tools, Type extends ChatEvent['type']> = Extract<
  ChatEventOf<Tools>,
  { readonly type: Type }
>

describe('events<typeof tools>()', () => {
  it('types inputs and results by the tools', async () => {
    for await (const event of run.events<typeof tools>()) {
      if (event.type === 'tool-result') {
        expectTypeOf(event.value).toEqualTypeOf<
          { city: string; degrees: number } | string | undefined
        >()
        expectTypeOf(event.toolCall.name).toEqualTypeOf<'weather' | 'clock'>()
      }
      if (event.type === 'tool-execution-start')
        expectTypeOf(event.input).toEqualTypeOf<{ city: string } | Record<string, never>>()
      if (event.type === 'text-delta') expectTypeOf(event.text).toEqualTypeOf<string>()
    }
  })

  it('types them one by one, by name', async () => {
    for await (const event of called.events<typeof record>()) {
      if (event.type === 'tool-result' && isCallOf(event, 'weather')) {
        expectTypeOf(event.value).toEqualTypeOf<{ city: string; degrees: number } | undefined>()
        expectTypeOf(event.response.isError).toEqualTypeOf<boolean | undefined>()
        expectTypeOf(event.round).toEqualTypeOf<number | undefined>()
      }
      if (isCallOf(event, 'counter') && event.type === 'tool-execution-start')
        expectTypeOf(event.input).toEqualTypeOf<{ n: number }>()
    }
  })

  it('takes one tool, a set and a record', () => {
    expectTypeOf<Of<typeof clock, 'tool-result'>['value']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Of<Set<typeof clock>, 'tool-result'>['value']>().toEqualTypeOf<
      string | undefined
    >()
    expectTypeOf<Of<{ a: typeof nameless }, 'tool-call'>['toolCall']['name']>().toEqualTypeOf<'a'>()
    expectTypeOf<Of<readonly [typeof weather], 'tool-execution-start'>['input']>().toEqualTypeOf<{
      city: string
    }>()
  })

  it('knows nothing about tools that are not made by tool(), and without a type argument', () => {
    expectTypeOf<Of<ToolCallback, 'tool-result'>['value']>().toEqualTypeOf<unknown>()
    expectTypeOf<Of<unknown, 'tool-result'>['value']>().toEqualTypeOf<unknown>()
    expectTypeOf(run.events()).toEqualTypeOf<ReturnType<StreamRun['events']>>()
    expectTypeOf<ChatEventOf<unknown>>().toEqualTypeOf<ChatEvent>()
    expectTypeOf<ChatEventOf<typeof tools>>().toExtend<ChatEvent>()
  })
})

describe('isCallOf()', () => {
  it('takes any event', async () => {
    for await (const event of run)
      if (isCallOf(event, 'weather')) expectTypeOf(event.toolCall.name).toExtend<'weather'>()
  })
})
