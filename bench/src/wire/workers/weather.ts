/** The one function behind all tools of all contenders, and the count of what it was given. */
export interface WeatherInput {
  readonly city: string
  readonly days: number
  readonly units: string
  readonly note?: string | undefined
}

/** As the mock model calls them. */
export const toolNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `tool_${index}`)

export const TOOL_NAMES = toolNames(4)
export const TOOL_DESCRIPTION = 'Forecast for a city over the coming days'
export const QUESTION = 'What will the weather be like in Paris?'

/** The hand-written twin of the zod schema in the toolwright workers. */
export const INPUT_SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Name of the city' },
    days: { type: 'integer', description: 'How many days' },
    units: { type: 'string', enum: ['c', 'f'] },
    note: { type: 'string' },
  },
  required: ['city', 'days', 'units'],
  additionalProperties: false,
}

export const done = { executions: 0, noteCharacters: 0 }

export function resetWork(): void {
  done.executions = 0
  done.noteCharacters = 0
}

export function forecast({ city, days, units, note }: WeatherInput): object {
  done.executions++
  if (note !== undefined) done.noteCharacters += note.length
  return { city, days, units, high: 21, low: 12, sky: 'clear' }
}

/** What a hand-written loop keeps its tools in. */
export const TOOLS = new Map(
  toolNames(500).map((name) => [name, async (input: WeatherInput) => forecast(input)]),
)
