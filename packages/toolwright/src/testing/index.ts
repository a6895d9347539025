/** The testing kit: scripted models, ports in your hands, the contract suites. */

// Models
export { scriptedModel } from './scripted-model.ts'
export type {
  ScriptedAnswer,
  ScriptedCall,
  ScriptedModel,
  ScriptedModelOptions,
  ScriptedStep,
} from './scripted-model.ts'

// Tools
export { standIn } from './stand-in.ts'

// Recorded conversations
export { cassette } from './cassette/cassette.ts'
export type { Cassette, CassetteOptions } from './cassette/cassette.ts'
export { readCassette } from './cassette/cassette-tape.ts'
export type {
  CassetteTape,
  TapedCall,
  TapedEnding,
  TapedExchange,
} from './cassette/cassette-tape.ts'
export { CassetteError } from '../errors/errors.ts'
export type { JsonDifference } from '../errors/errors.ts'
export type { CassetteErrorCode } from '../errors/catalogue.ts'

// Observing
export { recordingObserver } from './recording-observer.ts'
export type { RecordedObservation, RecordingObserver } from './recording-observer.ts'

// Ports
export { manualClock } from './manual-clock.ts'
export type { ManualClock } from './manual-clock.ts'
export { countingIds } from './counting-ids.ts'
export { seededRandom } from './seeded-random.ts'

// Contract suites
export { failedCases } from './contract-case.ts'
export type { ContractCase, ContractFailure } from './contract-case.ts'
export { chatModelContract } from './chat-model-contract/chat-model-contract.ts'
export type {
  ChatModelContractSetup,
  ContractAnswer,
  ContractRefusal,
  ContractToolCall,
  ContractTurn,
  ModelUnderTest,
} from './chat-model-contract/model-under-test.ts'
export { toolCallingManagerContract } from './tool-calling-manager-contract/tool-calling-manager-contract.ts'
export type {
  CreateManager,
  ManagerContractOptions,
} from './tool-calling-manager-contract/manager-trial.ts'
export { runStoreContract } from './run-store-contract.ts'
export type { RunStoreContractSetup } from './run-store-contract.ts'
export { durabilityContract } from './durability-contract.ts'
export type { DurabilityContractSetup } from './durability-contract.ts'
export { chatMemoryRepositoryContract } from './chat-memory-repository-contract.ts'
export type { ChatMemoryRepositoryContractSetup } from './chat-memory-repository-contract.ts'
export { toolIndexContract } from './tool-index-contract.ts'
export type { ToolIndexContractSetup } from './tool-index-contract.ts'
export { streamStoreContract } from './stream-store-contract.ts'
export type { StreamStoreContractSetup } from './stream-store-contract.ts'
