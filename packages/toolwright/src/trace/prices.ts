/** What exchanges cost, by prices that the reader gives: none are built in, because they change. */
import { ConfigurationError } from '../errors/errors.ts'
import { checkNumber, checkOptions } from '../internal/check-options.ts'
import type { Usage } from '../messages/chat-response.ts'
import type { TraceCall, TraceExchange, TraceRun } from './trace.ts'

/** For a million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** Of input that was read from a cache. Default: that of input. */
  readonly cacheRead?: number
  /** Of input that was written to a cache. Default: that of input. */
  readonly cacheWrite?: number
}

export interface Prices {
  /** A sign or a code that stands before amounts. Default `$`. */
  readonly currency?: string
  /** By the name of the model as it answers, as it is asked, or as `provider/model`. */
  readonly models: { readonly [model: string]: ModelPrice }
}

export interface Cost {
  readonly amount: number
  /** Whether exchanges are missing in it, because they have no price or no usage. */
  readonly isPartial: boolean
}

/** Prices as they stand in a file. Throws a ConfigurationError that says what is wrong. */
export function readPrices(json: unknown): Prices {
  checkOptions('A list of prices', json ?? null, ['currency', 'models'])
  const { currency, models } = json as Partial<Prices>
  if (currency !== undefined && typeof currency !== 'string')
    throw new ConfigurationError('invalid-option', 'currency in a list of prices is a text.')
  if (typeof models !== 'object' || models === null || Array.isArray(models))
    throw new ConfigurationError(
      'invalid-option',
      'A list of prices has `models`: { "models": { "name": { "input": 1, "output": 5 } } }, for a million tokens.',
    )
  for (const [name, price] of Object.entries(models)) checkPrice(`The price of "${name}"`, price)
  return json as Prices
}

const FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const

function checkPrice(where: string, price: unknown): void {
  checkOptions(where, price ?? null, FIELDS)
  for (const field of FIELDS)
    checkNumber(`${where}, ${field},`, (price as ModelPrice)[field], {
      least: 0,
      isOptional: field.startsWith('cache'),
    })
}

function priceOf(
  { models }: Prices,
  { answeredBy, model, provider }: Pick<TraceExchange, 'answeredBy' | 'model' | 'provider'>,
): ModelPrice | undefined {
  const names = [answeredBy, model, `${provider}/${model}`].filter((name) => name !== undefined)
  const name = names.find((each) => Object.hasOwn(models, each))
  return name === undefined ? undefined : models[name]
}

/** What the exchanges of a run cost, those of runs inside it included. */
export function costOf(run: TraceRun, prices: Prices): Cost {
  const costs = exchangesOf(run).map((exchange) => exchangeCost(exchange, prices))
  return {
    amount: costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    isPartial: costs.includes(undefined),
  }
}

/** Undefined if its model has no price, or nothing is known of its tokens. */
export function exchangeCost(exchange: TraceExchange, prices: Prices): number | undefined {
  const price = priceOf(prices, exchange)
  const { usage } = exchange
  return price && usage && usage.inputTokens !== undefined ? amountOf(usage, price) : undefined
}

function amountOf(usage: Usage, price: ModelPrice): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const { outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const sum =
    plainInput(usage) * input +
    cacheReadTokens * cacheRead +
    cacheWriteTokens * cacheWrite +
    outputTokens * output
  return sum / 1_000_000
}

/** Some providers count what a cache gave or took in the input, some beside it: the total tells which, or that it is more than the input. */
function plainInput(usage: Usage): number {
  const { inputTokens = 0, outputTokens = 0, totalTokens = 0 } = usage
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const cached = cacheReadTokens + cacheWriteTokens
  const isBeside = cached > inputTokens || totalTokens === inputTokens + outputTokens + cached
  return isBeside ? inputTokens : Math.max(0, inputTokens - cached)
}

function exchangesOf(run: TraceRun): readonly TraceExchange[] {
  return run.legs.flatMap(({ rounds, runs }) => [
    ...rounds.flatMap(({ exchanges }) => exchanges),
    ...runs.flatMap(exchangesOf),
    ...rounds.flatMap(({ calls }) => calls).flatMap(exchangesIn),
  ])
}

/** A call may make further calls, and those have runs of their own. */
const exchangesIn = ({ runs, calls }: TraceCall): readonly TraceExchange[] => [
  ...runs.flatMap(exchangesOf),
  ...calls.flatMap(exchangesIn),
]
