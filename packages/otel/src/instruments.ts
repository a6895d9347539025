/**
 * The instruments of metrics. A meter that is taken before the SDK starts stays dead, so it is asked for when
 * something is recorded, and the instruments are kept only as long as the provider is the same.
 */
import {
  createNoopMeter,
  metrics,
  type Attributes,
  type Counter,
  type Histogram,
  type MeterProvider,
} from '@opentelemetry/api'
import { COUNTERS, HISTOGRAMS, SCOPE, type InferenceNames } from './names.ts'

type HistogramName = keyof typeof HISTOGRAMS
type CounterName = keyof typeof COUNTERS

export class Instruments {
  readonly #inferenceNames: InferenceNames
  #provider: MeterProvider | undefined
  #isOn = false
  #histograms = new Map<HistogramName, Histogram>()
  #counters = new Map<CounterName, Counter>()

  constructor(inferenceNames: InferenceNames) {
    this.#inferenceNames = inferenceNames
  }

  /** Whether anything is recorded: without a provider nothing has to be put together. */
  get isOn(): boolean {
    return this.#ofProvider().#isOn
  }

  record(name: HistogramName, value: number, attributes: Attributes): void {
    const known = this.#ofProvider().#histograms.get(name)
    const histogram = known ?? this.#madeHistogram(name)
    histogram.record(value, attributes)
  }

  count(name: CounterName, attributes: Attributes): void {
    const known = this.#ofProvider().#counters.get(name)
    const counter = known ?? this.#madeCounter(name)
    counter.add(1, attributes)
  }

  #ofProvider(): this {
    const provider = metrics.getMeterProvider()
    if (provider === this.#provider) return this
    this.#provider = provider
    this.#isOn = provider.getMeter(SCOPE.name, SCOPE.version) !== createNoopMeter()
    this.#histograms = new Map()
    this.#counters = new Map()
    return this
  }

  #madeHistogram(key: HistogramName): Histogram {
    const { name, unit, description, buckets } = HISTOGRAMS[key](this.#inferenceNames)
    const advice = { explicitBucketBoundaries: [...buckets] }
    const made = metrics
      .getMeter(SCOPE.name, SCOPE.version)
      .createHistogram(name, { unit, description, advice })
    this.#histograms.set(key, made)
    return made
  }

  #madeCounter(key: CounterName): Counter {
    const { name, ...rest } = COUNTERS[key]
    const made = metrics.getMeter(SCOPE.name, SCOPE.version).createCounter(name, rest)
    this.#counters.set(key, made)
    return made
  }
}
