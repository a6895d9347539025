/**
 * What the documentation says that an example prints: a `text` fence whose first line is
 * `$ npx tsx examples/…`. The runner of the examples holds it to what is really printed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PrintedOutput {
  /** The Markdown file, relative to the root. */
  readonly file: string
  /** The line of the command, counted from 1. */
  readonly line: number
  /** The program, relative to the root. */
  readonly program: string
  readonly output: string
}

/** All of docs/. */
export function documentedOutputs(root: string): PrintedOutput[] {
  return readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .flatMap((name) => outputsOf(readFileSync(join(root, 'docs', name), 'utf8'), `docs/${name}`))
}

/** Those of one Markdown text. */
export function outputsOf(markdown: string, file: string): PrintedOutput[] {
  const fences = markdown.matchAll(/^```text\n\$ npx tsx (\S+)\n([\s\S]*?)^```/gm)
  return Array.from(fences, ({ 1: program, 2: output, index }) => {
    const line = markdown.slice(0, index).split('\n').length + 1
    return { file, line, program: program!, output: output! }
  })
}

/** Where the documentation differs from what `program` printed. */
export function misprinted(
  outputs: readonly PrintedOutput[],
  program: string,
  printed: string,
): string[] {
  return outputs
    .filter((output) => output.program === program && output.output !== printed)
    .map(({ file, line, output }) => `${file}:${line} says\n${output}but it prints\n${printed}`)
}
