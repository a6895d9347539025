/** Environment variables, where the runtime has some. */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: { [name: string]: string | undefined } } }
  return process?.env?.[name]
}
