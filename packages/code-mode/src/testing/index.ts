/** The door `@toolwright/code-mode/testing`: what a sandbox of one's own is tested with. */
export { driveProgram, programOf, ROOMY_LIMITS } from './drive-program.ts'
export type { Answers, Driven, ProgramParts } from './drive-program.ts'
export { sandboxContract } from './sandbox-contract.ts'
export type { SandboxContractSetup } from './sandbox-contract.ts'
