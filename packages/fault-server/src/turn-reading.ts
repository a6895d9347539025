/** What every dialect reads off a turn: defaults, and ids as the wire shows them. */
import type { FaultTurn } from './scenario.ts'

/** The whole argument text of a call. */
export const argumentText = (call: { readonly arguments: readonly string[] }): string =>
  call.arguments.join('')

/** The id the wire shows: `undefined` when the field is to be left out. */
export function wireId(
  call: { readonly id?: string | null },
  generated: string,
): string | undefined {
  return call.id === null ? undefined : (call.id ?? generated)
}

export const usageOf = (turn: FaultTurn): { inputTokens: number; outputTokens: number } =>
  turn.usage ?? { inputTokens: 20, outputTokens: 10 }

export const finishOf = (turn: FaultTurn): NonNullable<FaultTurn['finish']> =>
  turn.finish ?? (turn.toolCalls?.length ? 'tool-calls' : 'stop')
