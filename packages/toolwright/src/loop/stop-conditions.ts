/** Ready-made conditions for `stopWhen`. */
import { ConfigurationError } from '../errors/errors.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type { LoopState, StopCondition } from './tool-calling-options.ts'

/**
 * True once the model was asked `rounds` times, rounds before a suspension included.
 *
 * @example
 * const client = ChatClient.create(model, { toolCalling: { stopWhen: afterRounds(3) } })
 */
export function afterRounds(rounds: number): StopCondition {
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new ConfigurationError(
      'invalid-option',
      `afterRounds() takes a whole number of at least 1, not ${String(rounds)}.`,
    )
  return (state: LoopState) => state.rounds.length >= rounds
}

/**
 * True once the model called this tool and the call was answered.
 *
 * @example
 * const client = ChatClient.create(model, { toolCalling: { stopWhen: onToolCall('submit') } })
 */
export function onToolCall(name: string): StopCondition {
  if (typeof name !== 'string' || name === '')
    throw new ConfigurationError('invalid-option', 'onToolCall() takes the name of a tool.')
  return ({ rounds }: LoopState) => {
    const last = rounds.at(-1)
    return last !== undefined && toolCallsOf(last).some((call) => call.name === name)
  }
}
