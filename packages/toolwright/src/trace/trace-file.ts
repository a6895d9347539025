/**
 * Writes what happens in runs to a file, a JSON line for each thing: an observer. `readTrace()` reads it, and
 * `toolwright trace` shows it. A file that cannot be written costs the trace, never the run.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import type { Observation, ObservationInfo, Observer } from '../observation/observer.ts'
import { systemClock, type Clock } from '../ports/clock.ts'
import { systemIds, type Ids } from '../ports/ids.ts'
import { ambientStorage, type Ambient } from './node/ambient.ts'
import { LineFile } from './node/line-file.ts'
import { TRACE_VERSION, type HeaderLine } from './trace-line.ts'
import { InnerRuns } from './write/inner-runs.ts'
import { TracedObservation, type TraceWriting } from './write/traced-observation.ts'
import { TracedTime } from './write/traced-time.ts'

export interface TraceFileOptions {
  /**
   * Records prompts, answers, arguments, results and the words of errors too, without what looks like a secret.
   * Default false: names, ids, times, counts and codes only.
   */
  readonly content?: boolean
  /** Default: the real one. */
  readonly clock?: Clock
  /** Names the writer. Default: random. */
  readonly ids?: Ids
}

/** An observer of any number of clients and managers. */
export interface TraceFile extends Observer {
  /** Absolute. */
  readonly path: string
  /** Closes the file; what is observed later opens it again. Not needed before a program ends: nothing waits in memory. */
  close(): void
  [Symbol.dispose](): void
}

/**
 * Nothing is opened before something happens. Lines are appended, so that runs, processes and resumed runs may share
 * a file; what is there stays. A file that is no trace is left alone. Whatever goes wrong is told as a notice
 * `observer-failed`, once for each run. Node only.
 *
 * @example
 * const client = ChatClient.create(model, { observer: traceFile('run.jsonl') })
 */
export function traceFile(path: string, options: TraceFileOptions = {}): TraceFile {
  checkOptions('traceFile()', options, ['content', 'clock', 'ids'])
  if (typeof path !== 'string' || path === '')
    throw new ConfigurationError('invalid-option', 'traceFile() takes the path of a file first.')
  const { content = false } = options
  if (typeof content !== 'boolean')
    throw new ConfigurationError('invalid-option', 'content of traceFile() is true or false.')
  return new FileTrace(path, { ...options, content })
}

/** It stands in every line, and few share a file. */
const WRITER_LENGTH = 20

class FileTrace implements TraceFile, TraceWriting {
  readonly content: boolean
  readonly writer: string
  readonly #ambient = ambientStorage()
  readonly #time: TracedTime
  readonly #file: LineFile
  readonly #inner = new InnerRuns()
  #observations = 0
  #open = 0

  constructor(path: string, options: TraceFileOptions & { readonly content: boolean }) {
    const { content, clock = systemClock, ids = systemIds } = options
    this.content = content
    this.writer = ids.next('writer').slice(0, WRITER_LENGTH)
    this.#time = new TracedTime(clock)
    this.#file = new LineFile(path, {
      header: () => this.#lineOf({ type: 'trace', version: TRACE_VERSION, content }),
      lost: (lines) => this.#lineOf({ type: 'lost', lines }),
    })
  }

  get path(): string {
    return this.#file.path
  }

  start(_kind: ObservationInfo['kind'], info: ObservationInfo): Observation {
    const observation = new TracedObservation(this, ++this.#observations, info)
    const around = (info.parent as TracedObservation | undefined) ?? this.#ambient.getStore()
    if (!around && this.#open === 0) this.#time.adjust()
    else if (around && info.kind === 'client') this.#inner.add(info.runId)
    this.#open++
    const { id } = observation
    try {
      this.write({ type: 'start', id, ...this.#parentOf(around), ...observation.started(info) })
    } catch {
      // Told with the next line, which comes at its end at the latest: thrown here, the rest would go untold.
    }
    return observation
  }

  around<T>(observation: Observation, run: () => T): T {
    return this.#ambient.run(observation as TracedObservation, run)
  }

  close(): void {
    this.#file.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  ended(): void {
    this.#open--
  }

  tells(runId: string): boolean {
    return this.#inner.has(runId)
  }

  now(): number {
    return this.#time.now()
  }

  write(line: object, at?: number): void {
    this.#file.append(this.#lineOf(line, at))
  }

  #lineOf(line: object, at = this.now()): string {
    // The order is for people: what it is, when, by whom.
    const { type, version, ...facts } = line as Partial<HeaderLine>
    const json = JSON.stringify({ type, version, at, writer: this.writer, ...facts })
    // JSON leaves these two as they are, and many readers of lines end a line at them.
    return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  }

  #parentOf(around: Ambient | undefined) {
    if (!around) return {}
    const { id: parent, writer } = around
    return writer === this.writer ? { parent } : { parent, parentWriter: writer }
  }
}
