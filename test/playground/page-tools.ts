/** Tools of the playground's tests: what they did is counted, and those that wait do so until they are told. */
import { tool } from 'toolwright'
import { z } from 'zod'

/** What no page may run, load or follow. */
export const HOSTILE = [
  '<script>window.owned = 1</script><img src=x onerror="window.owned = 1">',
  '<svg onload="window.owned=1"><a href="javascript:window.owned=1">x</a></svg>',
  '[click](javascript:window.owned=1) ![remote](http://127.0.0.1:9/pixel.png) <http://127.0.0.1:9/>',
  '\u001b[31mred\u001b[0m \u001b]8;;http://127.0.0.1:9/\u0007link\u001b]8;;\u0007 \u202egnp.exe',
  '</pre></textarea></style><iframe src="http://127.0.0.1:9/"></iframe>',
  '<form action="http://127.0.0.1:9/"><button>go</button></form><base href="http://127.0.0.1:9/">',
].join('\n')

export class PageTools {
  readonly paid: number[] = []
  finish: () => void = () => {}
  started = 0

  readonly weather = tool({
    name: 'weather',
    description: 'The weather in a city',
    input: z.object({ city: z.string().describe('Its name') }),
    hints: { readOnly: true },
    execute: ({ city }) => ({ city, sky: 'clear', degrees: 21 }),
  })

  readonly pay = tool({
    name: 'pay',
    description: 'Pay an amount',
    input: z.object({ amount: z.number().positive().describe('In euros') }),
    hints: { destructive: true },
    preview: ({ amount }) => ({ says: `Pays ${amount} €` }),
    execute: ({ amount }) => {
      this.paid.push(amount)
      return `paid ${amount}`
    },
  })

  readonly slow = tool({
    name: 'slow',
    description: 'Takes until it is told',
    execute: async (_input: unknown, context) => {
      this.started += 1
      context.progress({ done: 'half' })
      await new Promise<void>((resolve) => {
        this.finish = resolve
        context.signal.addEventListener('abort', () => resolve(), { once: true })
      })
      return 'finished'
    },
  })

  readonly pick = tool({
    name: 'pick',
    description: 'A person picks a colour',
    input: z.object({ of: z.array(z.string()).describe('The colours') }),
    output: z.object({ colour: z.string().describe('The one that was picked') }),
  })

  readonly plan = tool({
    name: 'plan',
    description: 'Plan a delivery',
    input: z.object({
      day: z.iso.date().describe('When'),
      address: z.object({
        city: z.string(),
        country: z.enum(['AT', 'CH', 'DE', 'FR', 'IT']),
        note: z.string().nullable(),
      }),
      parcels: z.array(z.object({ weight: z.number().min(0.1).max(30) })).min(1),
      handover: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('person'), name: z.string() }),
        z.object({ kind: z.literal('locker'), code: z.int() }),
      ]),
      express: z.boolean().optional(),
    }),
    execute: (input) => input,
  })

  readonly hostile = tool({
    name: 'hostile',
    description: HOSTILE,
    execute: () => HOSTILE,
  })

  readonly large = tool({
    name: 'large',
    description: 'Ten megabytes',
    execute: () => 'x'.repeat(10_000_000),
  })

  get all() {
    return [this.weather, this.pay, this.slow, this.pick, this.plan, this.hostile, this.large]
  }
}
