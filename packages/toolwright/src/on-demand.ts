/**
 * Every part of the core that is loaded when it is first needed, so that programs that never need it neither
 * load nor bundle it at once (docs/decisions/0018). Nothing else in the core imports dynamically.
 */

/** When somebody has a say about a call: a policy, an approval, a decision. */
export const loadPermitCall = (): Promise<typeof import('./tool-calling/permit-call.ts')> =>
  import('./tool-calling/permit-call.ts')

/** When a tool has a lock, a rate or a cache. */
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

/** When a history that somebody gave does not pair. */
export const loadPairHistory = (): Promise<typeof import('./loop/pair-history.ts')> =>
  import('./loop/pair-history.ts')

/** When a tool that may be repeated is run. */
export const loadRetryCall = (): Promise<typeof import('./tool-calling/retry-call.ts')> =>
  import('./tool-calling/retry-call.ts')

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
