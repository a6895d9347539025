/** The testing kit: scripted models, a clock in your hands, and the contract suites. */
export { scriptedModel } from './scripted-model.ts'
export type { ScriptedAnswer, ScriptedCall, ScriptedModel, ScriptedModelOptions, ScriptedStep } from './scripted-model.ts'
export { manualClock } from './manual-clock.ts'
export type { ManualClock } from './manual-clock.ts'
