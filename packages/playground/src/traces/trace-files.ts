/** A trace file for each conversation, with its content: the playground shows people their own runs. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readTrace, traceFile, type TraceFile } from 'toolwright/trace'
import type { OpenedTrace } from '../protocol/opened-trace.ts'
import { Refusal } from '../server/refusal.ts'

export class TraceFiles {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** For its owner only, as the files in it are. */
  static async open(folder: string): Promise<TraceFiles> {
    const path = join(folder, 'traces')
    await mkdir(path, { recursive: true, mode: 0o700 })
    return new TraceFiles(path)
  }

  of(id: string): TraceFile {
    return traceFile(this.#pathOf(id), { content: true })
  }

  async read(id: string, name: string): Promise<OpenedTrace> {
    let text: string
    try {
      text = await readFile(this.#pathOf(id), 'utf8')
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
      throw new Refusal(404, 'no-trace', { message: 'Nothing has run in this conversation yet.' })
    }
    return { kind: 'trace', name, trace: readTrace(text) }
  }

  delete(id: string): Promise<void> {
    return rm(this.#pathOf(id), { force: true })
  }

  /** By its hash: an id never becomes a path. */
  #pathOf(id: string): string {
    const hash = createHash('sha256').update(id).digest('hex').slice(0, 32)
    return join(this.#folder, `${hash}.jsonl`)
  }
}
