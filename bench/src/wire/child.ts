/**
 * The driver's hold on one process of its own: the mock server or a worker. It starts plain node with
 * a bare environment, so that no loader, proxy setting or debug flag of the caller reaches a figure.
 */
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import type { BatchReport, BatchRequest } from './workers/serve-batches.ts'

interface Reply {
  readonly port?: number
  readonly report?: BatchReport
  readonly error?: string
}

export interface ChildOptions {
  readonly environment?: { readonly [name: string]: string }
  readonly nodeArguments?: readonly string[]
}

export class Child {
  readonly #name: string
  readonly #process: ChildProcess

  private constructor(name: string, process: ChildProcess) {
    this.#name = name
    this.#process = process
  }

  static async start(
    name: string,
    file: string,
    options: ChildOptions = {},
  ): Promise<{ child: Child; port: number }> {
    const child = fork(file, {
      execArgv: [...(options.nodeArguments ?? [])],
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...options.environment },
    })
    const started = new Child(name, child)
    const { port = 0 } = await started.#reply()
    return { child: started, port }
  }

  async batch(request: BatchRequest): Promise<BatchReport> {
    const reply = this.#reply()
    this.#process.send(request)
    const { report } = await reply
    if (report === undefined) throw new Error(`${this.#name} sent no report`)
    return report
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const exited = new Promise((resolve) => this.#process.once('exit', resolve))
    if (this.#process.connected) this.#process.disconnect()
    await exited
  }

  #reply(): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => {
        this.#process.off('message', onMessage)
        reject(new Error(`${this.#name} ended with code ${code}`))
      }
      const onMessage = (reply: Reply): void => {
        this.#process.off('exit', onExit)
        if (reply.error === undefined) resolve(reply)
        else reject(new Error(`${this.#name} failed: ${reply.error}`))
      }
      this.#process.once('exit', onExit)
      this.#process.once('message', onMessage)
    })
  }
}
