/** The signature under a thought: any change of the text breaks it. */
import { createHash } from 'node:crypto'

export function signatureOf(thought: string): string {
  return createHash('sha256').update(`fault-server:${thought}`).digest('base64')
}
