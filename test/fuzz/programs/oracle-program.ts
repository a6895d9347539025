/**
 * The same program on another engine, that of the tests themselves, in one go and without a sandbox: told the same in the
 * same order it must make the same calls, write the same and end the same.
 */
import { runInThisContext } from 'node:vm'
import type { Delivery } from '@toolwright/code-mode'

interface OpenCall {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export interface OracleCall {
  readonly name: string
  readonly arguments: string
}

export type OracleEnd = { readonly value: unknown } | { readonly error: Error }

class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string
  readonly tool: string

  constructor({ code, tool, message }: { code: string; tool: string; message: string }) {
    super(message)
    this.code = code
    this.tool = tool
  }
}

const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export class OracleProgram {
  readonly calls: OracleCall[] = []
  readonly console: string[] = []
  end: OracleEnd | undefined
  /** By the number of the call. */
  readonly open = new Map<number, OpenCall>()

  async start(code: string): Promise<void> {
    const run = runInThisContext(`(async (tools, callTool, console, ToolError) => {\n${code}\n})`)
    const call = (name: string, input: unknown): Promise<unknown> => {
      const index = this.calls.push({ name, arguments: JSON.stringify(input) }) - 1
      return new Promise((resolve, reject) => this.open.set(index, { resolve, reject }))
    }
    const tools = new Proxy({}, { get: (_, name) => (input: unknown) => call(String(name), input) })
    const log = (line: string): void => void this.console.push(line)
    const running = (run as (...seen: unknown[]) => Promise<unknown>)(tools, call, { log }, ToolError) // prettier-ignore
    running.then(
      (value) => (this.end = { value }),
      (error: Error) => (this.end = { error }),
    )
    await quiet()
  }

  /** False: there is no such call that waits. */
  async deliver(delivery: Delivery): Promise<boolean> {
    const { index } = delivery
    const call = this.open.get(index)
    if (!call) return false
    this.open.delete(index)
    if (!delivery.ok) call.reject(new ToolError(delivery.error))
    else call.resolve(delivery.json === undefined ? undefined : JSON.parse(delivery.json))
    await quiet()
    return true
  }
}
