/** One case of the contract of sandboxes. */
import type { Program, Sandbox } from '../sandbox/sandbox.ts'
import type { Answers, Driven, ProgramParts } from './drive-program.ts'

/** What a case has at hand. */
export interface Trial {
  readonly sandbox: Sandbox
  /** Runs a program to its end, with the tools `echo` and `fail` and those of the answers. */
  run(code: string, parts?: ProgramParts, answers?: Answers): Promise<Driven>
  program(code: string, parts?: ProgramParts): Program
  /** What the program returned; another end is a failure. */
  returned(code: string, parts?: ProgramParts): Promise<unknown>
}

export interface SandboxCase {
  readonly name: string
  check(trial: Trial): Promise<void>
}
