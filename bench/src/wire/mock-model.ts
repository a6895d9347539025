/**
 * What a mock model is to do, written in its name: `mock-r5-c1-t1-a0-d20-k4-p10-v0`. The same name in
 * every contender's request makes all of them hold the same conversation.
 */
export interface MockModel {
  readonly name: string
  /** Rounds that ask for tools, before the final text. */
  readonly rounds: number
  /** Parallel calls per round. */
  readonly calls: number
  /** Pieces of the final text. */
  readonly textChunks: number
  /** Filler bytes in the argument `note`. */
  readonly argumentBytes: number
  /** Bytes of argument text per streamed delta. */
  readonly deltaBytes: number
  /** Tools offered: calls cycle through tool_0 … tool_{tools-1}. */
  readonly tools: number
  /** SSE events per socket write; 0 writes everything at once. */
  readonly eventsPerWrite: number
  /** Advisors that wrap `emit`, for whoever has advisors; the model itself does nothing for it. */
  readonly advisors: number
}

/** One piece of the final text. */
export const TEXT_CHUNK = 'word '

const LETTERS = {
  r: 'rounds',
  c: 'calls',
  t: 'textChunks',
  a: 'argumentBytes',
  d: 'deltaBytes',
  k: 'tools',
  p: 'eventsPerWrite',
  v: 'advisors',
} as const

export function parseMockModel(name: string): MockModel {
  const model = {
    name,
    rounds: 0,
    calls: 1,
    textChunks: 1,
    argumentBytes: 0,
    deltaBytes: 20,
    tools: 4,
    eventsPerWrite: 0,
    advisors: 0,
  }
  const [prefix, ...settings] = name.split('-')
  if (prefix !== 'mock') throw new Error(`Not a mock model: ${name}`)
  for (const setting of settings) {
    const field = LETTERS[setting[0] as keyof typeof LETTERS]
    const value = Number(setting.slice(1))
    if (field === undefined || !Number.isInteger(value))
      throw new Error(`Unknown setting "${setting}" in ${name}`)
    model[field] = value
  }
  return model
}

/** The arguments of every call. */
export function mockArguments(model: MockModel): {
  city: string
  days: number
  units: string
  note?: string
} {
  const base = { city: 'Paris', days: 3, units: 'c' }
  return model.argumentBytes === 0 ? base : { ...base, note: 'x'.repeat(model.argumentBytes) }
}

export interface MockCall {
  readonly id: string
  readonly name: string
}

/** The calls of one round; none when the rounds are over and the text is due. */
export function mockCalls(model: MockModel, round: number): readonly MockCall[] {
  if (round >= model.rounds) return []
  return Array.from({ length: model.calls }, (_, index) => ({
    id: `call_${round}_${index}`,
    name: `tool_${(round * model.calls + index) % model.tools}`,
  }))
}
