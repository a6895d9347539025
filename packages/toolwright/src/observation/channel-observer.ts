/**
 * The observer behind `node:diagnostics_channel`: publishes what an observer without `content` is told, as Node's
 * own tracing channels do. One message goes through all channels of an operation: it has the info from the start, and `outcome`
 * and `error` at the end. Used only while somebody listens.
 */
import type { ObservedFacts } from '../messages/observed-facts.ts'
import type { TracingChannel } from '../ports/tracing-channel.ts'
import { channelOf } from './channels.ts'
import type { Observation, ObservationInfo, ObservationOutcome, Observer } from './observer.ts'

interface ChannelMessage extends Omit<ObservationInfo, 'parent' | 'facts'> {
  facts?: ObservedFacts
  /** The message of what is around it. */
  readonly parent?: ChannelMessage
  outcome?: ObservationOutcome
  error?: unknown
}

class Heard implements Observation {
  readonly message: ChannelMessage
  readonly #channel: TracingChannel
  #isStarted = false

  constructor(channel: TracingChannel, { parent, ...info }: ObservationInfo) {
    this.#channel = channel
    const outer = (parent as Heard | undefined)?.message
    this.message = outer ? { ...info, parent: outer } : info
  }

  around<T>(run: () => T): T {
    this.#isStarted = true
    const running = this.#channel.start.runStores(this.message, run)
    this.#channel.end.publish(this.message)
    return running
  }

  facts(facts: ObservedFacts): void {
    this.message.facts = { ...this.message.facts, ...facts }
  }

  end(outcome: ObservationOutcome): void {
    // Aborted before it began: who hears of an end has heard of the start.
    if (!this.#isStarted) this.around(() => {})
    const { asyncStart, asyncEnd, error } = this.#channel
    this.message.outcome = outcome
    if (outcome.failed) {
      this.message.error = outcome.error
      error.publish(this.message)
    }
    asyncStart.publish(this.message)
    asyncEnd.publish(this.message)
  }
}

export const channelObserver: Observer = {
  start(kind, info) {
    const channel = channelOf(kind)
    if (!channel) return undefined
    const heard = new Heard(channel, info)
    // Nothing is run around a round.
    if (kind === 'round') heard.around(() => {})
    return heard
  },
  around: (observation, run) => (observation as Heard).around(run),
}
