/** Programs that a model wrote, as people read them: the code with its line numbers, and what it wrote to its console. */
import type { Json } from 'toolwright'
import { cut } from '../terminal/printable.ts'

/** What `codeMode()` calls its tool. */
const PROGRAM_TOOL = 'runProgram'

/** Long enough for what models write; somebody who approves a call of a program has to see the program. */
const PROGRAM_SHOWN = { characters: 8_000, lines: 150 }

/** The program of a call, line by line with numbers. Undefined if the call runs none. */
export function programLines(name: string, json: string): readonly string[] | undefined {
  if (name !== PROGRAM_TOOL) return undefined
  const code = codeIn(json)
  if (code === undefined) return undefined
  const lines = cut(code.replace(/\s+$/, ''), PROGRAM_SHOWN).split('\n')
  const width = String(lines.length).length
  return lines.map((line, at) => `${String(at + 1).padStart(width)}  ${line}`)
}

/** A line of the console, or undefined if the progress is of another kind. */
export function consoleText(name: string, progress: unknown): string | undefined {
  if (name !== PROGRAM_TOOL || typeof progress !== 'object' || progress === null) return undefined
  const { console, text } = progress as { readonly console?: unknown; readonly text?: unknown }
  if (typeof console !== 'string' || typeof text !== 'string') return undefined
  return `console.${console}: ${text}`
}

function codeIn(json: string): string | undefined {
  try {
    const { code } = Object(JSON.parse(json)) as { readonly code?: Json }
    return typeof code === 'string' ? code : undefined
  } catch {
    return undefined
  }
}
