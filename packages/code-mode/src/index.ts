/** The door `@toolwright/code-mode`: programs that call tools, and the sandbox they run in. */
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
