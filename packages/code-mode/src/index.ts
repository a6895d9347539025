/** The door `@toolwright/code-mode`: programs that call tools, what they are written against, and where they run. */

// Programs that call tools
export { codeMode } from './code-mode.ts'
export type { CodeModeOptions, ProgramInput, ProgramLimits } from './code-mode-options.ts'
export type { ProgramResult } from './program/program-result.ts'

// What a program is written against
export { declareGlobals, declareTools } from './declare/declare-tools.ts'
export type { DeclaredTool, ToolDeclarations } from './declare/declare-tools.ts'

// Where it runs
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
