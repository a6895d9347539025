/**
 * What stands between the generator, which knows TypeScript, and the command, which knows files: what
 * came of one source file. Types only, so that a run with nothing to do never loads a compiler.
 */

/** Why no file was written, said so that it can be mended. */
export interface Problem {
  /** Absolute path. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  /** What is wrong, with the tool, the parameter and the type it is about. */
  readonly message: string
  /** What to write instead. */
  readonly fix: string
}

/** What came of one source file. */
export interface Generation {
  /** Absolute path of the file that was read. */
  readonly source: string
  /** Absolute path of the file that belongs beside it. */
  readonly output: string
  /** What to write; undefined when the source has no tools, or problems. */
  readonly text: string | undefined
  readonly problems: readonly Problem[]
  /**
   * Every file the text depends on, absolute: the source, the files its types come from, declarations of
   * packages, the tsconfig files and manifests that were read, and paths where nothing was but a file
   * would be taken. Not the compiler's own library.
   */
  readonly dependencies: readonly string[]
}

/** A generator keeps what it has read: asking again after a change is fast. */
export interface Generator {
  /** Reads these files, and what changed on disk since the last time. */
  generate(sources: readonly string[]): readonly Generation[]
}
