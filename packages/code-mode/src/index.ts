/** The door `@toolwright/code-mode`: programs that call tools, and the sandbox they run in. */
export { codeMode } from './code-mode.ts'
export type { CodeModeOptions, ProgramInput, ProgramLimits } from './code-mode-options.ts'
export type { ProgramResult } from './program/program-result.ts'
export { quickJsSandbox } from './sandbox/quickjs/quickjs-sandbox.ts'
export type { QuickJsSandboxOptions } from './sandbox/quickjs/quickjs-sandbox.ts'
export type {
  ConsoleLine,
  Delivery,
  OpenProgram,
  Program,
  ProgramCall,
  ProgramEnd,
  ProgramError,
  ProgramFault,
  Sandbox,
  SandboxLimits,
  ToolErrorFacts,
  Turn,
} from './sandbox/sandbox.ts'
