/** What a trace keeps of something thrown. Its words may quote arguments and results, so they are content. */
import { ToolwrightError } from '../../errors/errors.ts'
import { messageOfThrown } from '../../errors/message-of-thrown.ts'
import { redact } from '../../errors/redact.ts'
import type { TraceFailure } from '../trace-line.ts'

/** Of longer words only the beginning. */
const LONGEST_WORDS = 4096
const CLASS_NAME = /^[\p{L}_$][\p{L}\p{N}_$]{0,99}$/u

export function failureOf(thrown: unknown, content: boolean): TraceFailure {
  return {
    name: classOf(thrown),
    ...(ToolwrightError.is(thrown) && { code: thrown.code }),
    ...(content && { message: redact(messageOfThrown(thrown)).slice(0, LONGEST_WORDS) }),
  }
}

/** The name of its class, which stands in the program; its own `name` may be made of anything. */
function classOf(thrown: unknown): string {
  try {
    const { constructor } = Object(thrown) as { readonly constructor?: unknown }
    const name = typeof constructor === 'function' ? constructor.name : ''
    return CLASS_NAME.test(name) ? name : 'Error'
  } catch {
    return 'Error'
  }
}
