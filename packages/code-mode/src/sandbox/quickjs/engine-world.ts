/** What an engine sees of the machine: a clock that stands still, no chance, and nowhere to write. */
export interface EngineClock {
  ms: number
}

export const engineWorld =
  (clock: EngineClock) =>
  (memory: { readonly buffer: ArrayBuffer }): { [name: string]: (...args: never[]) => number } => ({
    clock_time_get(_id: number, _precision: bigint, at: number) {
      const nanoseconds = BigInt(Math.trunc(clock.ms)) * 1_000_000n
      new DataView(memory.buffer).setBigInt64(at, nanoseconds, true)
      return 0
    },
    random_get(at: number, length: number) {
      new Uint8Array(memory.buffer, at, length).fill(0)
      return 0
    },
    // What the engine itself has to say, e.g. when it aborts, is nothing for the output of the process.
    fd_write: () => 0,
  })
