/** What signs the first call of a turn. */
import type { FaultTurn } from '../../scenario.ts'
import { signatureOf } from '../../signature.ts'

export const signatureOfTurn = (turn: FaultTurn): string =>
  signatureOf(JSON.stringify([turn.reasoning, turn.toolCalls]))
