/** Counts the calls of a user turn against the limits. The counts are a value that travels in the run's state. */
import type { ToolCall, ToolResponse } from '../messages/message.ts'
import type { CallCounters } from '../messages/run-state.ts'
import type { LimitName, NormalLimits } from './limits.ts'

export const NO_CALLS: CallCounters = { total: 0, perTool: {} }

export class CallCounter {
  readonly #limits: NormalLimits
  readonly #perTool: Map<string, number>
  #total: number
  #repeated: CallCounters['repeated']
  #limit: LimitName | undefined
  /** Results of this batch as the tools gave them, by call id. */
  readonly #results = new Map<string, string>()
  /** Calls that repeated themselves once too often: being told so is no new result. */
  readonly #repetitions = new Set<string>()

  constructor(limits: NormalLimits, counters: CallCounters = NO_CALLS) {
    this.#limits = limits
    this.#total = counters.total
    this.#perTool = new Map(Object.entries(counters.perTool))
    this.#repeated = counters.repeated
  }

  /** Counts one more call. Words for the model when a limit refuses it. */
  count(call: ToolCall): string | undefined {
    const ofTool = (this.#perTool.get(call.name) ?? 0) + 1
    this.#perTool.set(call.name, ofTool)
    this.#total += 1
    const { callsPerTool, callsTotal, identicalCalls } = this.#limits
    if (ofTool > callsPerTool) {
      return this.#refuse(
        'callsPerTool',
        `Tool "${call.name}" was already called ${callsPerTool} times, which is its limit.`,
      )
    }
    if (this.#total > callsTotal) {
      return this.#refuse(
        'callsTotal',
        `${callsTotal} tool calls were already made, which is the limit.`,
      )
    }
    if (this.#repeated?.signature === signatureOf(call) && this.#repeated.count >= identicalCalls) {
      this.#repetitions.add(call.id)
      return this.#refuse(
        'identicalCalls',
        `This exact call was made ${this.#repeated.count} times in a row with the same result.`,
      )
    }
    return undefined
  }

  /** What the model gets of a result: the last repetition that is allowed carries a hint. */
  told(call: ToolCall, response: ToolResponse): ToolResponse {
    const result = digest(
      typeof response.content === 'string' ? response.content : JSON.stringify(response.content),
    )
    this.#results.set(call.id, result)
    const repeated = this.#repeated
    const again = repeated?.signature === signatureOf(call) && repeated.result === result
    return again && repeated.count === this.#limits.identicalCalls - 1
      ? withHint(response)
      : response
  }

  /** Remembers a result, in call order, once the batch has settled. */
  remember(call: ToolCall): void {
    if (this.#repetitions.has(call.id)) return
    const signature = signatureOf(call)
    const result = this.#results.get(call.id) ?? ''
    const again = this.#repeated?.signature === signature && this.#repeated.result === result
    this.#repeated = { signature, result, count: again ? this.#repeated!.count + 1 : 1 }
  }

  get limit(): LimitName | undefined {
    return this.#limit
  }

  get counters(): CallCounters {
    const perTool = Object.fromEntries(this.#perTool)
    return { total: this.#total, perTool, ...(this.#repeated && { repeated: this.#repeated }) }
  }

  #refuse(limit: LimitName, why: string): string {
    this.#limit ??= limit
    return `${why} Answer with what you have, or try another way.`
  }
}

const HINT =
  'You already made this call with the same arguments and got the same result. Do not repeat it.'

function withHint(response: ToolResponse): ToolResponse {
  const { content } = response
  const hinted =
    typeof content === 'string'
      ? `${content}\n\n${HINT}`
      : [...content, { type: 'text' as const, text: HINT }]
  return { ...response, content: hinted }
}

const signatures = new WeakMap<ToolCall, string>()

function signatureOf(call: ToolCall): string {
  let signature = signatures.get(call)
  if (signature === undefined) {
    signature = digest(`${call.name}(${call.arguments})`)
    signatures.set(call, signature)
  }
  return signature
}

/** Short and good enough to tell two results apart; not a defence against anybody. */
function digest(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return `${text.length}:${(hash >>> 0).toString(36)}`
}
