/**
 * What signs the first call of a turn: a digest of the turn, and a seal under the digest, by which another server
 * knows the signature without knowing the turn.
 */
import type { FaultTurn } from '../../scenario.ts'
import { signatureOf } from '../../signature.ts'

const sealed = (digest: string): string => digest + signatureOf(digest)

export const signatureOfTurn = (turn: FaultTurn): string =>
  sealed(signatureOf(JSON.stringify([turn.reasoning, turn.toolCalls])))

/** Whether some server made it. */
export const isSignatureOfTurn = (given: unknown): given is string =>
  typeof given === 'string' && sealed(given.slice(0, given.length / 2)) === given
