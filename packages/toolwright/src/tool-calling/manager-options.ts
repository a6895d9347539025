/** The manager's options, normalised once: how calls are found, permitted and explained, and how runs are run. */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import {
  ANY,
  checkKinds,
  CLASSES,
  CLOCK,
  FUNCTION,
  LOGGER,
  OBSERVER,
  oneOf,
  RANDOM,
  TRUTH,
  withMethods,
  type Kinds,
} from '../schema/option-kinds.ts'
import { runSettings, type RunOptions, type RunSettings } from '../run/run-settings.ts'
import type { ToolCallbackResolver } from '../tools/tool-callback-resolver.ts'
import {
  defaultExceptionProcessor,
  type ErrorClass,
  type ToolExceptionProcessor,
} from './exception-processor.ts'
import type { ToolPolicy } from './policy.ts'

export interface ToolCallingManagerOptions extends RunOptions {
  /** Finds tools by name. */
  readonly resolver?: ToolCallbackResolver
  /** Makes what a tool throws words for the model, or throws to end the run. */
  readonly exceptionProcessor?: ToolExceptionProcessor
  /** What a tool throws ends the run. Default false: the model is told. */
  readonly throwOnError?: boolean
  /** Errors of these classes end the run. */
  readonly rethrow?: readonly ErrorClass[]
  /** Decides on each call before it runs. Default: every call may run. */
  readonly policy?: ToolPolicy
}

/** How the default manager works, and the settings of the runs it was made for. */
export interface ManagerSettings extends RunSettings {
  readonly resolver: ToolCallbackResolver | undefined
  readonly exceptionProcessor: ToolExceptionProcessor
  readonly policy: ToolPolicy | undefined
}

export const MANAGER_KINDS: Kinds<ToolCallingManagerOptions> = {
  resolver: /* @__PURE__ */ withMethods('resolve'),
  exceptionProcessor: FUNCTION,
  throwOnError: TRUTH,
  rethrow: CLASSES,
  policy: FUNCTION,
  limits: ANY,
  onLimit: /* @__PURE__ */ oneOf('stop', 'throw', 'tell-model'),
  runStore: /* @__PURE__ */ withMethods('use'),
  // Its value must not stand in a message.
  stateSecret: ANY,
  durability: /* @__PURE__ */ withMethods('step'),
  clock: CLOCK,
  ids: /* @__PURE__ */ withMethods('next'),
  random: RANDOM,
  observer: OBSERVER,
  logger: LOGGER,
}

export const MANAGER_OPTIONS = /* @__PURE__ */ Object.keys(
  MANAGER_KINDS,
) as readonly (keyof ToolCallingManagerOptions)[]

export function managerSettings(options: ToolCallingManagerOptions = {}): ManagerSettings {
  checkOptions('toolCallingManager()', options, MANAGER_OPTIONS)
  checkKinds('toolCallingManager()', options, MANAGER_KINDS)
  const { resolver, policy } = options
  return {
    ...runSettings(options),
    resolver,
    policy,
    exceptionProcessor: exceptionProcessorFrom(options),
  }
}

function exceptionProcessorFrom(options: ToolCallingManagerOptions): ToolExceptionProcessor {
  const { exceptionProcessor, throwOnError, rethrow } = options
  if (!exceptionProcessor) return defaultExceptionProcessor({ alwaysThrow: throwOnError, rethrow })
  if (throwOnError === undefined && rethrow === undefined) return exceptionProcessor
  throw new ConfigurationError(
    'invalid-option',
    'Give exceptionProcessor, or throwOnError and rethrow.',
  )
}

/** Whoever brings a manager has given it its options. */
export function refuseManagerOptions(manager: unknown, options: object): void {
  const named = Object.keys(options)
  if (!manager || named.length === 0) return
  throw new ConfigurationError(
    'invalid-option',
    `Both manager and ${named.join(', ')} were given; give these to the manager.`,
  )
}
