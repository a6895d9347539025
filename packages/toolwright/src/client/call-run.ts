/** A run asked for whole: the model answers in one piece, and so does this. */
import { ModelResponseError } from '../errors/errors.ts'
import { textOf } from '../messages/reading.ts'
import type { RunResult } from './advised-run.ts'
import { Run } from './run.ts'

export class CallRun extends Run {
  /** The answer's text. Rejects with `RunSuspendedError` or `RunLimitError` when there is none. */
  async content(): Promise<string> {
    return textOfAnswer(await this.run.answer())
  }
}

/** A model that was stopped before it said anything gave no answer. */
export function textOfAnswer({ response }: RunResult): string {
  const text = textOf(response)
  const reason = response.results[0]?.finishReason
  if (text === '' && ['content-filter', 'length', 'error'].includes(reason!)) {
    throw new ModelResponseError('no-answer', `The model ended with "${reason}" and said nothing.`)
  }
  return text
}
