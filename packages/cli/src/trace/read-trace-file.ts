/** Reads a trace file line by line, and says in words what keeps it from being read. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { TraceError, TraceReader, type Trace } from 'toolwright/trace'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import { textLines } from '../command/text-lines.ts'

export async function readTraceFile(file: string, cwd: string): Promise<Trace> {
  const reader = new TraceReader()
  try {
    for await (const line of textLines(createReadStream(resolve(cwd, file)))) reader.add(line)
    return reader.trace()
  } catch (thrown) {
    throw new CommandError(`${file}: ${words(thrown)}`, { cause: thrown })
  }
}

function words(thrown: unknown): string {
  if (thrown instanceof TraceError) return thrown.message
  const { code } = thrown as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'There is no such file. traceFile(path) writes one.'
  if (code === 'EISDIR') return 'This is a folder. Give the file that traceFile(path) wrote.'
  return `It cannot be read: ${messageOfThrown(thrown)}. Check the file and your rights to it.`
}
