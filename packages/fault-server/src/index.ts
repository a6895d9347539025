/** A provider on loopback that misbehaves on purpose, and the scenarios of its misbehaviour. */

// The server
export { faultServer } from './fault-server.ts'
export type { FaultServer, FaultServerOptions, RecordedRequest } from './fault-server.ts'
export { FaultServerError } from './fault-server-error.ts'
export { FAULT_DIALECTS } from './dialects.ts'
export type { FaultDialect } from './dialects.ts'

// Turns of your own
export type {
  FaultDrop,
  FaultEnding,
  FaultFinish,
  FaultFraming,
  FaultRefusal,
  FaultScript,
  FaultStep,
  FaultToolCall,
  FaultTurn,
} from './scenario.ts'

// The 66 scenarios
export { FAULT_ANSWER, FAULT_ROUNDS, FAULT_SCENARIOS, FAULT_SECRET } from './scenarios.ts'
export type {
  FaultEffect,
  FaultExpectation,
  FaultScenario,
  FaultToolBehaviour,
} from './scenario.ts'
