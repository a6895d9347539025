/** Waits for what a program in another thread leads to. A test that waits in vain is ended by the runner's own limit. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1))
}
