/** Reads an environment variable, if the runtime has any. */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: { [name: string]: string | undefined } } }
  return process?.env?.[name]
}
