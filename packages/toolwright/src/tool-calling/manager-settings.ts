/** The manager's options, normalised once: nothing below sees an alias or a default. */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import type { Logger } from '../observation/logger.ts'
import type { Observer } from '../observation/observer.ts'
import { systemClock, type Clock } from '../ports/clock.ts'
import { runDirectly, type Durability } from '../ports/durability.ts'
import { environmentVariable } from '../ports/environment.ts'
import { systemIds, type Ids } from '../ports/ids.ts'
import { systemRandom, type Random } from '../ports/random.ts'
import type { ToolCallbackResolver } from '../tools/tool-callback-resolver.ts'
import {
  defaultExceptionProcessor,
  type ErrorClass,
  type ToolExceptionProcessor,
} from './exception-processor.ts'
import { normalLimits, type Limits, type NormalLimits } from './limits.ts'
import type { ToolPolicy } from './policy.ts'
import { inMemoryRunStore, type RunStore } from './run-store.ts'

export type OnLimit = 'stop' | 'throw' | 'tell-model'

export interface ToolCallingManagerOptions {
  readonly resolver?: ToolCallbackResolver
  readonly exceptionProcessor?: ToolExceptionProcessor
  /** What a tool throws ends the run. Default false: the model is told. */
  readonly throwOnError?: boolean
  /** Errors of these classes end the run. */
  readonly rethrow?: readonly ErrorClass[]
  readonly limits?: Partial<Limits>
  /** `stop` (default): the run ends with status `limit`. `throw`: it rejects. `tell-model`: the model is told and goes on. */
  readonly onLimit?: OnLimit
  readonly policy?: ToolPolicy
  readonly runStore?: RunStore
  /** Signs suspended states. Default: a key of this process, so that no other can resume them. */
  readonly stateSecret?: string
  readonly durability?: Durability
  readonly clock?: Clock
  readonly ids?: Ids
  readonly random?: Random
  /** Is told of everything that happens in a run: tracing, metrics, tests. */
  readonly observer?: Observer
  /** Default: what the environment variable `TOOLWRIGHT_LOG` says, else silent. */
  readonly logger?: Logger
}

export interface ManagerSettings {
  readonly resolver: ToolCallbackResolver | undefined
  readonly exceptionProcessor: ToolExceptionProcessor
  readonly limits: NormalLimits
  readonly onLimit: OnLimit
  readonly policy: ToolPolicy | undefined
  readonly runStore: RunStore
  readonly stateSecret: string | undefined
  readonly durability: Durability
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly observer: Observer | undefined
  /** A text: what `TOOLWRIGHT_LOG` says. */
  readonly logger: Logger | string | undefined
}

export const MANAGER_OPTIONS = [
  'resolver', 'exceptionProcessor', 'throwOnError', 'rethrow', 'limits', 'onLimit', 'policy', 'runStore',
  'stateSecret', 'durability', 'clock', 'ids', 'random', 'observer', 'logger',
] as const satisfies readonly (keyof ToolCallingManagerOptions)[] // prettier-ignore

export function managerSettings(options: ToolCallingManagerOptions = {}): ManagerSettings {
  checkOptions('toolCallingManager()', options, MANAGER_OPTIONS)
  const {
    resolver,
    onLimit = 'stop',
    policy,
    runStore = defaultRunStore(options),
    stateSecret,
    durability = runDirectly,
    clock = systemClock,
    ids = systemIds,
    random = systemRandom,
    observer,
    logger = environmentVariable('TOOLWRIGHT_LOG'),
  } = options
  if (!['stop', 'throw', 'tell-model'].includes(onLimit))
    throw invalid(`onLimit is 'stop', 'throw' or 'tell-model'.`)
  if (stateSecret !== undefined && (typeof stateSecret !== 'string' || stateSecret === ''))
    throw invalid('stateSecret is a non-empty string.')
  return {
    resolver,
    exceptionProcessor: exceptionProcessorFrom(options),
    limits: normalLimits(options.limits),
    onLimit,
    policy,
    runStore,
    stateSecret,
    durability,
    clock,
    ids,
    random,
    observer,
    logger,
  }
}

let storeOfProcess: RunStore | undefined

/** One for the whole process, like its key: another client must not resume a state again. Own ids may repeat. */
const defaultRunStore = ({ ids }: ToolCallingManagerOptions): RunStore =>
  ids ? inMemoryRunStore() : (storeOfProcess ??= inMemoryRunStore())

function exceptionProcessorFrom(options: ToolCallingManagerOptions): ToolExceptionProcessor {
  const { exceptionProcessor, throwOnError, rethrow } = options
  if (!exceptionProcessor) return defaultExceptionProcessor({ alwaysThrow: throwOnError, rethrow })
  if (throwOnError === undefined && rethrow === undefined) return exceptionProcessor
  throw invalid('Give exceptionProcessor, or throwOnError and rethrow.')
}

const invalid = (message: string): ConfigurationError =>
  new ConfigurationError('invalid-option', message)
