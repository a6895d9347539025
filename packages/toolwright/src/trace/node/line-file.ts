/**
 * Appends lines to a file, each with one write: whole lines of several processes may share a file, nothing waits in
 * memory, and a process that is killed has written all but the line it was at. Node only: the file system is asked
 * for when the first line comes.
 */
import type * as Fs from 'node:fs'
import type * as Path from 'node:path'
import { TraceError } from '../../errors/errors.ts'
import { messageOfThrown } from '../../errors/message-of-thrown.ts'
import { headerProblem } from '../read/header-problem.ts'

/** What stands in a file besides the lines that it is given. */
export interface LineFileText {
  /** The first line, each time the file is opened. */
  header(): string
  /** After so many lines that could not be written. */
  lost(lines: number): string
}

/** Enough for the first line. */
const HEAD_BYTES = 4096
/** What is written may be private. */
const OWNER_ONLY = 0o600

export class LineFile {
  readonly path: string
  readonly #text: LineFileText
  #descriptor: number | undefined
  /** What stands at the end of the file is no whole line. */
  #isTorn = false
  #lost = 0

  constructor(path: string, text: LineFileText) {
    this.path = builtin<typeof Path>('node:path').resolve(path)
    this.#text = text
  }

  /** Throws if the line cannot be written. It is lost then; the next one is tried again. */
  append(line: string): void {
    try {
      this.#descriptor ??= this.#open()
      if (this.#lost > 0) this.#write(this.#descriptor, this.#text.lost(this.#lost))
      this.#lost = 0
      this.#write(this.#descriptor, line)
    } catch (thrown) {
      this.#lost++
      throw thrown instanceof TraceError ? thrown : this.#unwritable(thrown)
    }
  }

  /** A line that comes later opens it again. */
  close(): void {
    const descriptor = this.#descriptor
    this.#descriptor = undefined
    if (descriptor !== undefined) fs().closeSync(descriptor)
  }

  #open(): number {
    const descriptor = this.#opened()
    try {
      this.#examine(descriptor)
      this.#write(descriptor, this.#text.header())
      return descriptor
    } catch (thrown) {
      fs().closeSync(descriptor)
      throw thrown
    }
  }

  #opened(): number {
    const { constants, openSync } = fs()
    const { O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants
    // A pipe that is read by nobody must not hold the program up.
    const flags = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK
    try {
      return openSync(this.path, flags, OWNER_ONLY)
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
      makeFolder(folderOf(this.path))
      return openSync(this.path, flags, OWNER_ONLY)
    }
  }

  /** Nothing is appended to a file that is something else. */
  #examine(descriptor: number): void {
    const { fstatSync, readSync } = fs()
    const { size, isFile } = withKind(fstatSync(descriptor))
    this.#isTorn = false
    if (!isFile || size === 0) return
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
    readSync(descriptor, head, 0, head.length, 0)
    const problem = headerProblem(head.toString('utf8'))
    if (problem)
      throw new TraceError('trace-foreign', `Nothing is written to ${this.path}: ${problem}`)
    const last = Buffer.alloc(1)
    readSync(descriptor, last, 0, 1, size - 1)
    this.#isTorn = last[0] !== NEW_LINE
  }

  #write(descriptor: number, line: string): void {
    const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${line}\n`)
    let written = 0
    try {
      while (written < bytes.length) written += fs().writeSync(descriptor, bytes, written)
      this.#isTorn = false
    } catch (thrown) {
      // A disk that is nearly full takes a part.
      if (written > 0) this.#isTorn = bytes[written - 1] !== NEW_LINE
      throw thrown
    }
  }

  #unwritable(thrown: unknown): TraceError {
    const words = messageOfThrown(thrown)
    const message = `The trace file ${this.path} cannot be written: ${words}.`
    return new TraceError('trace-unwritable', message, { cause: thrown })
  }
}

/** One by one, because Node's own `recursive` never ends where the system makes no folders, as in `/proc`. */
function makeFolder(path: string): void {
  const { existsSync, mkdirSync } = fs()
  const missing: string[] = []
  for (let each = path; !existsSync(each) && folderOf(each) !== each; each = folderOf(each))
    missing.unshift(each)
  for (const each of missing)
    try {
      mkdirSync(each)
    } catch (thrown) {
      // Another process may have been quicker.
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
    }
}

const folderOf = (path: string): string => builtin<typeof Path>('node:path').dirname(path)

const NEW_LINE = 10

const withKind = (stats: Fs.Stats): { readonly size: number; readonly isFile: boolean } => ({
  size: stats.size,
  isFile: stats.isFile(),
})

const fs = (): typeof Fs => builtin<typeof Fs>('node:fs')

const builtin = <Module>(name: string): Module => process.getBuiltinModule(name) as Module
