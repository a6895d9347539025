/** Tools the manager suite offers: each writes down what it was run with. */
import { idle } from '../patience.ts'
import { tool, type FunctionToolCallback, type ToolOptions } from '../../tools/tool.ts'
import type { ToolContext } from '../../tools/tool-context.ts'

const CITY = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
} as const

export interface City {
  readonly city: string
  readonly days?: number
}

type More = Omit<
  ToolOptions<City, unknown, { readonly [key: string]: unknown }>,
  'name' | 'execute' | 'resultConverter'
>

/** A tool that takes a city, and the inputs it has been run with. */
export interface RecordingTool extends FunctionToolCallback {
  readonly ran: readonly City[]
}

export type Work = (input: City, context: ToolContext) => unknown

export function recording(name: string, work: Work = answer, more: More = {}): RecordingTool {
  const ran: City[] = []
  const made = tool({
    name,
    input: CITY,
    ...(more as object),
    execute(input: City, context: ToolContext) {
      ran.push(input)
      return work(input, context)
    },
  })
  return { ...made, ran } as RecordingTool
}

const answer: Work = ({ city }) => `${city} is fine`

export const PARIS = { city: 'Paris' }
export const ROME = { city: 'Rome' }
export const OSLO = { city: 'Oslo' }

/** Never settles, whatever it is told. */
export const forever = (): Promise<never> => new Promise(() => {})

/** Counts how many of its users are at work at the same time. */
export class Occupancy {
  most = 0
  #now = 0

  /** Work that stays long enough for everybody who may to come in. */
  readonly stay = async (): Promise<string> => {
    this.#now += 1
    this.most = Math.max(this.most, this.#now)
    await idle()
    this.#now -= 1
    return 'stayed'
  }
}
