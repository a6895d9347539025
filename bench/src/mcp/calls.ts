/** What a contender is asked: so many calls, one after another; it answers with the CPU time of this process. */
export interface McpTask {
  /** The program of the server, for stdio. */
  readonly program: string
  /** The address of the server, for HTTP. */
  readonly url: string
}

export interface AskedCalls {
  readonly over: 'stdio' | 'http'
  readonly calls: number
}

export type Call = (a: number, b: number) => Promise<string>

export async function cpuOf(call: Call, calls: number): Promise<number> {
  const before = process.cpuUsage()
  for (let each = 0; each < calls; each++) {
    const sum = await call(each, 1)
    if (sum !== String(each + 1)) throw new Error(`The server gave ${sum} for ${each} + 1.`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
