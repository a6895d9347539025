/** What the compiler knows about extra arguments. */
import { augmentTools, tool, type ToolSource } from 'toolwright'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

const now = tool({ name: 'now', execute: () => 'noon' })

describe('augmentTools', () => {
  it('types the arguments by their schema', () => {
    const augmented = augmentTools([now], {
      input: z.object({ why: z.string(), at: z.iso.date().transform((text) => new Date(text)) }),
      onArguments: (event) => {
        expectTypeOf(event.arguments.why).toEqualTypeOf<string>()
        expectTypeOf(event.arguments.at).toEqualTypeOf<Date>()
        expectTypeOf(event.rawInput).toEqualTypeOf<string>()
        // @ts-expect-error there is no such argument
        void event.arguments.because
      },
    })
    expectTypeOf(augmented).toExtend<ToolSource>()
  })

  it('types those of a JSON Schema literal too', () => {
    augmentTools(now, {
      input: {
        type: 'object',
        properties: { why: { type: 'string' }, sure: { type: 'boolean' } },
        required: ['why'],
      },
      onArguments: ({ arguments: { why, sure } }) => {
        expectTypeOf(why).toEqualTypeOf<string>()
        expectTypeOf(sure).toEqualTypeOf<boolean | undefined>()
      },
    })
  })

  it('takes no promise as a source, and needs a schema', () => {
    // @ts-expect-error await it first
    augmentTools(Promise.resolve(now), { input: z.object({ why: z.string() }) })
    // @ts-expect-error wrap it with z.object()
    augmentTools(now, { input: { why: z.string() } })
  })
})
