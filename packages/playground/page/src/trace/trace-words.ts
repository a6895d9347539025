/** A trace in the words that the command uses too. */
import { traceWords } from 'toolwright/trace'

export const { duration, durationOf, count, tokens, failure, callOutcome, wait, pending, event } =
  traceWords
