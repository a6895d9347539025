/**
 * How long a test or a process it starts may take before it counts as hanging. No test is about time: on a
 * machine that is busy with something else a compiler may take minutes.
 */
export const HANG_GUARD_MS = 600_000
