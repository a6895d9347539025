/**
 * How a generated file is called and known: `x.tools.ts` beside `x.ts`, and a first line that names its
 * source. Only a file with that line is ever overwritten, removed or loaded as generated.
 */
import { extname } from 'node:path'
import { lowerFirst } from '../shape/identifier.ts'

const FIRST_LINE = /^\uFEFF?\/\/ Written by `toolwright generate` from (.+?)\. Change that file/

/** The first line of what is generated from a source of that name. */
export const firstLineFor = (source: string): string =>
  `// Written by \`toolwright generate\` from ${source}. Change that file and run it again.`

/** The name of the source beside it, or undefined when the text is not one of ours. */
export const generatedFrom = (text: string): string | undefined => FIRST_LINE.exec(text)?.[1]

/** The file that belongs beside a source. What is generated has no markup in it: `x.tsx` gives `x.tools.ts`. */
export function outputOf(source: string): string {
  const ending = extname(source)
  return source.slice(0, -ending.length) + `.tools${ending.replace('x', '')}`
}

/** Whether a file could be such an output, by its name. */
export const isOutputName = (file: string): boolean => /\.tools\.[cm]?tsx?$/.test(file)

/** What a generated file exports for a class: `Alarm` and `AlarmTools` give `alarmTools`. */
export function factoryNameOf(className: string): string {
  const lowered = lowerFirst(className)
  return lowered.endsWith('Tools') ? lowered : `${lowered}Tools`
}
