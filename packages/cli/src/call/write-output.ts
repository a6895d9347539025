/** Writes a tool's result: exactly as it is into a pipe or a file, safe and shortened on a terminal. */
import { writeFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { MediaPart, ToolOutput } from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { excerpt } from '../terminal/printable.ts'

export interface OutputOptions {
  /** `--full` */
  readonly full: boolean
  /** `--out` */
  readonly out: string | undefined
}

const MOST = { characters: 20_000, lines: 400 }

export function writeOutput(output: ToolOutput, io: CommandIo, options: OutputOptions): void {
  const parts = typeof output === 'string' ? [{ type: 'text', text: output } as const] : output
  const media = parts.filter((part) => part.type !== 'text')
  const texts = parts.map((part) => (part.type === 'text' ? part.text : describe(part)))
  if (options.out === undefined) return writeText(texts.join('\n'), io, options.full)
  const inline = media.flatMap(({ data }) => (data === undefined ? [] : [data]))
  if (inline.length === 0) return save(options.out, texts.join('\n'), io)
  for (const [index, data] of inline.entries()) {
    save(
      index === 0 ? options.out : numbered(options.out, index + 1),
      Buffer.from(data, 'base64'),
      io,
    )
  }
}

function writeText(text: string, { stdout, stderr }: CommandIo, full: boolean): void {
  if (!stdout.isTTY) return void stdout.write(text)
  const most = full ? { characters: Infinity, lines: Infinity } : MOST
  const { shown, hidden } = excerpt(text, most)
  stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`)
  if (hidden > 0)
    stderr.write(
      `[${hidden.toLocaleString('en')} more characters; --full shows them, --out <file> keeps them]\n`,
    )
}

function describe({ type, mediaType, data, url, name }: MediaPart): string {
  const size = data === undefined ? url : `${Buffer.byteLength(data, 'base64')} bytes`
  const facts = [mediaType, name, size].filter(Boolean).join(', ')
  return `[${type}: ${facts}${data === undefined ? '' : '; --out <file> writes it'}]`
}

function save(path: string, content: string | Uint8Array, { cwd, stderr }: CommandIo): void {
  try {
    writeFileSync(resolve(cwd, path), content)
  } catch (cause) {
    throw new CommandError(
      `${path} cannot be written: ${(cause as Error).message}. Give --out another file.`,
      { cause },
    )
  }
  stderr.write(`wrote ${path}, ${Buffer.byteLength(content)} bytes\n`)
}

/** `chart.png` → `chart-2.png` */
function numbered(path: string, number: number): string {
  const extension = extname(path)
  return `${path.slice(0, path.length - extension.length)}-${number}${extension}`
}
