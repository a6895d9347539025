/** Shared by all runs for what was not given or has not happened yet: a run that waits holds none of its own. */
export const NONE: readonly never[] = Object.freeze([])
export const NOTHING = Object.freeze({})
