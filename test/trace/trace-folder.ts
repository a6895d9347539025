/** A folder for the trace files of a test, and the lines in them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { traceFile, type TraceFile, type TraceFileOptions } from 'toolwright/trace'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'

/** Gone when the test is over. */
export function traceFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-trace-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A trace in a folder of its own, whose writer is `writer_1`. */
export function tracing(options: TraceFileOptions = {}): TraceFile {
  const trace = traceFile(join(traceFolder(), 'run.jsonl'), { ids: countingIds(), ...options })
  onTestFinished(() => trace.close())
  return trace
}

export type Line = { readonly [field: string]: unknown }

export const linesIn = (path: string): readonly Line[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
