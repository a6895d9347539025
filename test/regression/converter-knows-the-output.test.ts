/** A result converter was told the definition, but not the schema that the tool declares for its result. */
import { expect, it } from 'vitest'
import { augmentTools, methodTool, Tool, tool, toolsOf, type ToolCallback } from 'toolwright'
import { z } from 'zod'

const COUNT = z.object({ n: z.number() })
const PLAIN = { type: 'object', properties: { n: { type: 'number' } } } as const

it('the second argument holds the declared output, whatever made the tool', async () => {
  const seen: unknown[] = []
  const resultConverter = (
    _result: unknown,
    { definition, output }: { definition: object; output?: unknown },
  ) => {
    seen.push(output)
    expect(definition).toHaveProperty('name')
    return 'converted'
  }
  class Counter {
    @Tool({ output: COUNT, resultConverter })
    byDecorator(): { n: number } {
      return { n: 1 }
    }
    plain(): { n: number } {
      return { n: 2 }
    }
  }
  const execute = () => ({ n: 3 })
  const tools: readonly ToolCallback[] = [
    tool({ name: 'standard', output: COUNT, execute, resultConverter }),
    tool({ name: 'json', output: PLAIN, execute, resultConverter }),
    tool({ name: 'none', execute, resultConverter }),
    ...toolsOf(new Counter()),
    methodTool({ object: new Counter(), method: 'plain', output: PLAIN, resultConverter }),
    ...toolsOf(
      augmentTools(tool({ name: 'more', output: COUNT, execute, resultConverter }), {
        input: z.object({ why: z.string().optional() }),
      }),
    ),
  ]
  for (const { call } of tools) expect(await call('{}')).toBe('converted')
  expect(seen).toEqual([COUNT, PLAIN, undefined, COUNT, PLAIN, COUNT])
})
