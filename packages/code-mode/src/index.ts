/** The door `@toolwright/code-mode`: the sandbox that programs run in, and the declarations they are written against. */

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
