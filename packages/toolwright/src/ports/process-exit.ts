/** Calls back when the process ends, if the runtime has one. It keeps no process alive. */
export function onProcessExit(run: () => void): void {
  const { process } = globalThis as {
    process?: { once?: (event: 'exit', listener: () => void) => unknown }
  }
  process?.once?.('exit', run)
}
