/**
 * The contract between the generator, which knows TypeScript, and the command, which knows files: the
 * result for one source file. Types only, so that a run with nothing to do never loads a compiler.
 */

/** Why no file was written, and how to correct it; or, as a warning, what the file leaves out. */
export interface Problem {
  /** Absolute path. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  /** What is wrong, naming the tool, the parameter and the type. */
  readonly message: string
  /** What to write instead. */
  readonly fix: string
}

/** The result for one source file. */
export interface Generation {
  /** Absolute path of the source. */
  readonly source: string
  /** Absolute path of the generated file. */
  readonly output: string
  /** The text to write; undefined if the source has no tools, or has problems. */
  readonly text: string | undefined
  readonly problems: readonly Problem[]
  /** What the source says and the text leaves out. The text is written all the same. */
  readonly warnings: readonly Problem[]
  /**
   * Every file that the text depends on, as absolute paths: the source, the files of its types,
   * declarations of packages, the tsconfig files and manifests that were read, and paths where a new file
   * would be used instead. Not the compiler's own library.
   */
  readonly dependencies: readonly string[]
}

/** Generates text for sources. It keeps what it has read, so that asking again after a change is fast. */
export interface Generator {
  /** Reads these files, and what has changed on disk since the last call. */
  generate(sources: readonly string[]): readonly Generation[]
}
