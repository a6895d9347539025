/** Counts the calls of a user turn against the limits. The counts are a value that travels in the run's state. */
import { NOTHING } from '../internal/nothing.ts'
import type { ToolCall, ToolResponse } from '../messages/message.ts'
import type { CallCounters } from '../messages/run-state.ts'
import type { LimitName, NormalLimits } from '../run/limits.ts'
import type { ToolOutput } from '../tools/tool-callback.ts'

export const NO_CALLS: CallCounters = Object.freeze({ total: 0, perTool: NOTHING })

export class CallCounter {
  readonly #limits: NormalLimits
  /** A map, because a model may call thousands of tools that do not exist. */
  readonly #perTool: Map<string, number>
  #total: number
  #repeated: CallCounters['repeated']
  /** The first limit that refused a call. */
  limit: LimitName | undefined
  /** Results of this batch as the tools gave them, by call id. Made with the first. */
  #results: Map<string, string> | undefined

  constructor(limits: NormalLimits, counters: CallCounters = NO_CALLS) {
    this.#limits = limits
    this.#total = counters.total
    this.#perTool = new Map(Object.entries(counters.perTool))
    this.#repeated = counters.repeated
  }

  /** Counts one more call. Returns words for the model when a limit refuses it. */
  refusal(call: ToolCall): string | undefined {
    const ofTool = (this.#perTool.get(call.name) ?? 0) + 1
    this.#perTool.set(call.name, ofTool)
    this.#total += 1
    const { callsPerTool, callsTotal, identicalCalls } = this.#limits
    if (ofTool > callsPerTool)
      return this.#refuse(
        'callsPerTool',
        `"${call.name}" was already called ${callsPerTool} times (limits.callsPerTool).`,
      )
    if (this.#total > callsTotal)
      return this.#refuse(
        'callsTotal',
        `${callsTotal} tool calls were already made (limits.callsTotal).`,
      )
    const repeated = this.#repeated
    if (!repeated || repeated.count < identicalCalls || !isSigned(repeated, call)) return undefined
    // The refusal is not a new result of the call.
    this.#results ??= new Map()
    this.#results.set(call.id, repeated.result)
    return this.#refuse(
      'identicalCalls',
      'You already made this exact call and got the same result (limits.identicalCalls).',
    )
  }

  /** What the model gets of a result: the last repetition that is allowed carries a hint. */
  withHint(call: ToolCall, response: ToolResponse): ToolResponse {
    const { content } = response
    const given = typeof content === 'string' ? content : JSON.stringify(content)
    const result = this.#results?.get(call.id) ?? given
    this.#results ??= new Map()
    this.#results.set(call.id, result)
    const timesBefore = this.#repeated ? timesGiven(this.#repeated, call, result) : 0
    return timesBefore === this.#limits.identicalCalls - 1
      ? { ...response, content: withNote(content, HINT) }
      : response
  }

  /** Remembers a result, in call order, once the batch has settled. */
  remember(call: ToolCall): void {
    const result = this.#results?.get(call.id) ?? ''
    const timesBefore = this.#repeated ? timesGiven(this.#repeated, call, result) : 0
    this.#repeated = { signature: signatureOf(call), result, count: timesBefore + 1 }
  }

  get counters(): CallCounters {
    const total = this.#total
    const perTool = Object.fromEntries(this.#perTool)
    const repeated = this.#repeated
    return repeated ? { total, perTool, repeated } : { total, perTool }
  }

  #refuse(limit: LimitName, why: string): string {
    this.limit ??= limit
    return `${why} Answer with what you have, or try another way.`
  }
}

const HINT = 'You already made this exact call and got the same result. Do not repeat it.'

/** How often in a row this call has had this result. */
const timesGiven = (repeated: Repeated, call: ToolCall, given: string): number =>
  repeated.result === given && isSigned(repeated, call) ? repeated.count : 0

type Repeated = NonNullable<CallCounters['repeated']>

/** Most calls have signatures of other lengths, which need not be put together. */
const isSigned = ({ signature }: Repeated, call: ToolCall): boolean =>
  signature.length === call.name.length + call.arguments.length + 2 &&
  signature === signatureOf(call)

const signatureOf = (call: ToolCall): string => `${call.name}(${call.arguments})`

/** What a tool gave, with a remark for the model after it. */
export const withNote = (output: ToolOutput, note: string): ToolOutput =>
  typeof output === 'string' ? `${output}\n\n${note}` : [...output, { type: 'text', text: note }]
