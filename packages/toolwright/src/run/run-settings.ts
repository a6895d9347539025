/**
 * What a run is run by, whoever asks: its limits, and the ports to time, ids, chance, storage and whoever
 * watches. Normalised once from the options of a client or a manager; nothing below sees an alias or a
 * default. Client, loop and manager are given these settings; none of them owns them.
 */
import { ConfigurationError } from '../errors/errors.ts'
import type { Logger } from '../observation/logger.ts'
import type { Observer } from '../observation/observer.ts'
import { systemClock, type Clock } from '../ports/clock.ts'
import { runDirectly, type Durability } from '../ports/durability.ts'
import { environmentVariable } from '../ports/environment.ts'
import { systemIds, type Ids } from '../ports/ids.ts'
import { systemRandom, type Random } from '../ports/random.ts'
import { normalLimits, type Limits, type NormalLimits } from './limits.ts'
import { usedStates, type RunStore } from './run-store.ts'

export type OnLimit = 'stop' | 'throw' | 'tell-model'

export interface RunOptions {
  /** A partial object keeps the other defaults. */
  readonly limits?: Partial<Limits>
  /** `stop` (default): the run ends with status `limit`. `throw`: it rejects. `tell-model`: the model is told and goes on. */
  readonly onLimit?: OnLimit
  /** Makes each suspended state usable once, and may keep the runs that wait. Default: remembers the used states of this process, and keeps no runs. */
  readonly runStore?: RunStore
  /** Signs suspended states; at least 16 characters. Default: a key of this process, so that no other can resume them. */
  readonly stateSecret?: string
  /** Every model call, tool call and advisor I/O goes through it. Default: it just runs them. */
  readonly durability?: Durability
  /** Tells and waits for time. Default: the real one; `manualClock()` for tests. */
  readonly clock?: Clock
  /** Makes the ids of runs and calls. Default: random ones. */
  readonly ids?: Ids
  /** Shortens pauses by chance. Default: the real one. */
  readonly random?: Random
  /** Is told of everything that happens in a run: tracing, metrics, tests. Several are told in their order. */
  readonly observer?: Observer | readonly Observer[]
  /** Default: what the environment variable `TOOLWRIGHT_LOG` says, else silent. */
  readonly logger?: Logger
}

export interface RunSettings {
  readonly limits: NormalLimits
  readonly onLimit: OnLimit
  readonly runStore: RunStore
  readonly stateSecret: string | undefined
  readonly durability: Durability
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly observer: Observer | readonly Observer[] | undefined
  /** A text: what `TOOLWRIGHT_LOG` says. */
  readonly logger: Logger | string | undefined
}

export function runSettings(options: RunOptions = {}): RunSettings {
  const {
    onLimit = 'stop',
    runStore = defaultRunStore(options),
    stateSecret,
    durability = runDirectly,
    clock = systemClock,
    ids = systemIds,
    random = systemRandom,
    observer,
    logger = environmentVariable('TOOLWRIGHT_LOG'),
  } = options
  if (stateSecret !== undefined && !(typeof stateSecret === 'string' && stateSecret.length >= 16))
    throw new ConfigurationError(
      'invalid-option',
      'stateSecret is a text of at least 16 characters, e.g. of `openssl rand -base64 32`.',
    )
  return {
    limits: normalLimits(options.limits),
    onLimit,
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

/** One store for the whole process, like its key: another client must not resume a state again. Ids of the program's own may repeat, so they get a store of their own. */
const defaultRunStore = ({ ids }: RunOptions): RunStore =>
  ids ? usedStates() : (storeOfProcess ??= usedStates())
