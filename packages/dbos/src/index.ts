/** The door: runs that survive the machine. */
export { dbosDurability } from './dbos-durability.ts'
export type { DbosDurabilityOptions } from './dbos-durability.ts'
export { durableRuns } from './durable-runs.ts'
export type {
  CancelOptions,
  CancelReport,
  DurableClients,
  DurableInput,
  DurablePage,
  DurableQuery,
  DurableRun,
  DurableRuns,
  DurableRunsOptions,
  DurableStatus,
  EventsOptions,
  ListedRun,
  ListedUndo,
  StartOptions,
  UndoneCall,
} from './durable-run.ts'
