/** Tools for the tests of the playground, and what they did. */
import { tool, type ToolCallback } from 'toolwright'
import { z } from 'zod'

export interface Shop {
  readonly tools: readonly ToolCallback[]
  /** What was paid. */
  readonly paid: readonly number[]
}

export function shop(): Shop {
  const paid: number[] = []
  const add = tool({
    name: 'add',
    description: 'Adds two numbers.',
    input: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => a + b,
  })
  const pay = tool({
    name: 'pay',
    description: 'Pays an amount.',
    input: z.object({ amount: z.number().max(1000) }),
    hints: { destructive: true },
    preview: ({ amount }) => `pays ${amount}`,
    execute: ({ amount }) => {
      paid.push(amount)
      return `paid ${amount}`
    },
  })
  const pick = tool({
    name: 'pick',
    description: 'Lets a person pick a colour.',
    input: z.object({}),
  })
  const count = tool({
    name: 'count',
    description: 'Counts, and says so.',
    input: z.object({ to: z.number() }),
    execute: async function* ({ to }) {
      for (let at = 1; at <= to; at++) yield { at }
      return 'counted'
    },
  })
  const hang = tool({
    name: 'hang',
    description: 'Never ends.',
    input: z.object({}),
    execute: () => new Promise<string>(() => {}),
  })
  const boom = tool({
    name: 'boom',
    description: 'Throws.',
    input: z.object({}),
    execute: (): string => {
      throw new Error('<script>alert(1)</script>')
    },
  })
  const flood = tool({
    name: 'flood',
    description: 'Returns ten megabytes.',
    input: z.object({}),
    execute: () => '\u00e4'.repeat(5 * 1024 * 1024),
  })
  return { tools: [add, pay, pick, count, hang, boom, flood], paid }
}
