/** A project in a folder of its own, and the command run in it: in this process, or in one of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { CommandIo } from '../../packages/cli/src/command/command.ts'
import { runCommandLine } from '../../packages/cli/src/main.ts'
import { builtPackages } from '../../scripts/build/built-packages.ts'

const { command: BIN } = await builtPackages()

/** A `tsconfig.json` without the libraries that most tests do not need: the compiler reads a twentieth. */
export const QUICK_TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    module: 'NodeNext',
    allowImportingTsExtensions: true,
    noEmit: true,
    lib: ['ES5'],
    types: [],
  },
})

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export class Project {
  /** Absolute, without links in it. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-project-')))
  readonly #running = new Set<RunningCommand>()

  constructor(files: { readonly [name: string]: string }) {
    this.write({ 'package.json': '{ "type": "module" }', ...files })
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  write(files: { readonly [name: string]: string }): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(this.path(name)), { recursive: true })
      writeFileSync(this.path(name), content)
      // Nobody starts a command within the same instant, but a test does.
      const before = new Date(Date.now() - 1000)
      utimesSync(this.path(name), before, before)
    }
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8')
  }

  has(name: string): boolean {
    return existsSync(this.path(name))
  }

  remove(name: string): void {
    rmSync(this.path(name), { recursive: true })
  }

  /** The command line in this process. */
  async run(...words: string[]): Promise<Finished> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const said = Promise.all([text(stdout), text(stderr)])
    const io = { stdin: process.stdin, stdout, stderr, cwd: this.folder, env: {} }
    const code = await runCommandLine(words, io as unknown as CommandIo)
    stdout.end()
    stderr.end()
    const [out, err] = await said
    return { code, stdout: out, stderr: err }
  }

  /** The real command in a process of its own. */
  start(words: readonly string[], nodeOptions: readonly string[] = []): RunningCommand {
    const child = spawn(process.execPath, [...nodeOptions, BIN, ...words], { cwd: this.folder })
    const running = new RunningCommand(child)
    this.#running.add(running)
    return running
  }

  async dispose(): Promise<void> {
    for (const running of this.#running) await running.end('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export class RunningCommand {
  readonly finished: Promise<Finished>
  readonly #child: ChildProcess
  #stdout = ''
  #stderr = ''

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout!.setEncoding('utf8').on('data', (piece: string) => (this.#stdout += piece))
    child.stderr!.setEncoding('utf8').on('data', (piece: string) => (this.#stderr += piece))
    this.finished = new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, stdout: this.#stdout, stderr: this.#stderr }))
    })
  }

  get stdout(): string {
    return this.#stdout
  }

  get stderr(): string {
    return this.#stderr
  }

  /** A reader that has seen enough. */
  closeStdout(): void {
    this.#child.stdout!.destroy()
  }

  async end(signal: NodeJS.Signals): Promise<Finished> {
    if (this.#child.exitCode === null) this.#child.kill(signal)
    return await this.finished
  }
}

/** Waits for a condition, never for a time; the test's own timeout ends a wait in vain. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10)
}
