/** `toolwright/trace`: what happened in runs, in a file, and read again. */

// Writing
export { traceFile } from './trace-file.ts'
export type { TraceFile, TraceFileOptions } from './trace-file.ts'

// Reading
export { readTrace } from './read-trace.ts'
export { TraceReader } from './read/trace-reader.ts'
export type {
  Trace,
  TraceAdvisor,
  TraceCall,
  TraceCallStatus,
  TraceEvent,
  TraceExchange,
  TraceLeg,
  TracePending,
  TraceProblem,
  TraceRound,
  TraceRun,
  TraceRunStatus,
  TraceTimes,
  TraceWait,
} from './trace.ts'

// What it costs
export { costOf, exchangeCost, readPrices } from './prices.ts'
export type { Cost, ModelPrice, Prices } from './prices.ts'

// In words
export { traceWords } from './trace-words.ts'
export type { TraceWords } from './trace-words.ts'

// The format
export { NOT_OFFERED, TRACE_VERSION } from './trace-line.ts'
export type {
  EndFacts,
  EndLine,
  EventLine,
  HeaderLine,
  LostLine,
  SentLine,
  StartFacts,
  StartLine,
  TraceEventFacts,
  TraceFailure,
  TraceLine,
} from './trace-line.ts'

// Errors
export { TraceError } from '../errors/errors.ts'
export type { TraceErrorCode } from '../errors/catalogue.ts'
