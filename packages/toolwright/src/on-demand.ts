/**
 * Every part of the core that is loaded when it is first needed, so that programs that never need it neither
 * load nor bundle it at once (docs/decisions/0018). Nothing else in the core imports dynamically.
 */

/** When somebody has a say about a call: a policy, an approval, a decision, an answer. */
export const loadPermitCall = (): Promise<typeof import('./tool-calling/permit-call.ts')> =>
  import('./tool-calling/permit-call.ts')

/** When a durable run calls its first tools. */
export const loadDurableCalls = (): Promise<typeof import('./tool-calling/durable-calls.ts')> =>
  import('./tool-calling/durable-calls.ts')

/** When a tool has a lock, a rate or a cache, or may be repeated. */
export const loadCallGates = (): Promise<typeof import('./tool-calling/call-gates.ts')> =>
  import('./tool-calling/call-gates.ts')

/** When a run is suspended or resumed. */
export const loadSuspension = (): Promise<typeof import('./tool-calling/suspension.ts')> =>
  import('./tool-calling/suspension.ts')

/** When an observer or a logger watches. */
export const loadWatched = (): Promise<typeof import('./observation/watched.ts')> =>
  import('./observation/watched.ts')

/** When an entity is asked for. */
export const loadStructuredOutput = (): Promise<typeof import('./advisors/structured-output.ts')> =>
  import('./advisors/structured-output.ts')

/** When a loop ends before the model has answered. */
export const loadEarlyEndings = (): Promise<typeof import('./loop/early-endings.ts')> =>
  import('./loop/early-endings.ts')

/** When a run has a time limit. */
export const loadDeadline = (): Promise<typeof import('./loop/deadline.ts')> =>
  import('./loop/deadline.ts')

/** When a hook looks at the loop. */
export const loadHookViews = (): Promise<typeof import('./loop/hook-views.ts')> =>
  import('./loop/hook-views.ts')

/** When a suspended run goes on in the middle of its round. */
export const loadReopenedRound = (): Promise<typeof import('./loop/reopened-round.ts')> =>
  import('./loop/reopened-round.ts')

/** When a history that somebody gave does not pair. */
export const loadPairHistory = (): Promise<typeof import('./loop/pair-history.ts')> =>
  import('./loop/pair-history.ts')

/** When a tool failed, or the application supplied a result. */
export const loadConvertResult = (): Promise<typeof import('./tool-calling/convert-result.ts')> =>
  import('./tool-calling/convert-result.ts')

/** When an advisor breaks its contract. */
export const loadAdvisorFaults = (): Promise<typeof import('./loop/advisor-faults.ts')> =>
  import('./loop/advisor-faults.ts')

/** When a model returned something else than its contract says. */
export const loadMendResponse = (): Promise<typeof import('./loop/mend-response.ts')> =>
  import('./loop/mend-response.ts')

/** When a model refused. */
export const loadRefusedError = (): Promise<typeof import('./loop/refused-error.ts')> =>
  import('./loop/refused-error.ts')

/** When decisions are checked before they are used. */
export const loadCheckResume = (): Promise<typeof import('./client/check-resume.ts')> =>
  import('./client/check-resume.ts')

/** When a run is sent as lines of JSON. */
export const loadEventLines = (): Promise<typeof import('./client/event-lines.ts')> =>
  import('./client/event-lines.ts')

/** When a manager of the program's own decides what the model sees. */
export const loadOfferedByManager = (): Promise<typeof import('./loop/offered-by-manager.ts')> =>
  import('./loop/offered-by-manager.ts')

/** When a program gave a message that is none. */
export const loadMessageFault = (): Promise<typeof import('./client/message-fault.ts')> =>
  import('./client/message-fault.ts')

/** When a tool is called that calls tools. */
export const loadComposite = (): Promise<typeof import('./tool-calling/composite.ts')> =>
  import('./tool-calling/composite.ts')

/** When a run goes on in which tools that call tools wait. */
export const loadReopenedCalls = (): Promise<typeof import('./tool-calling/reopened-calls.ts')> =>
  import('./tool-calling/reopened-calls.ts')
