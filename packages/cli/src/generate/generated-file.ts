/** How a generated file is known: by its first line, which also names the file it was made from. */

const FIRST_LINE = /^\uFEFF?\/\/ Written by `toolwright generate` from (.+?)\. Change that file/

/** The name of the source beside it, or undefined when the text is not one of ours. */
export const generatedFrom = (text: string): string | undefined => FIRST_LINE.exec(text)?.[1]

/** A file that `toolwright generate` could have written, by its name. */
export const isOutputName = (file: string): boolean => /\.tools\.[cm]?tsx?$/.test(file)
