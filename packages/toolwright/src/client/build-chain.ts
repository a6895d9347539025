/** From a client's advisors to its chain: the loop among them unless switched off, the model at the end. */
import type { StructuredOutput } from '../advisors/structured-output.ts'
import { ConfigurationError } from '../errors/errors.ts'
import {
  isLoopAdvisor,
  isMemoryAdvisor,
  ORDER,
  type Advisor,
  type LoopAdvisor,
  type NextAdvisor,
} from '../loop/advisor.ts'
import { chainAdvisors, orderAdvisors } from '../loop/advisor-chain.ts'
import { modelStep } from '../loop/model-step.ts'
import { toolCallingAdvisor } from '../loop/tool-calling-advisor.ts'
import type { ToolCallingAdvisorOptions } from '../loop/tool-calling-options.ts'
import { normalLimits, type Limits } from '../run/limits.ts'
import { settingsOf } from '../tool-calling/default-tool-calling-manager.ts'
import type { ManagerSettings } from '../tool-calling/manager-options.ts'
import type { ToolCallingManager } from '../tool-calling/tool-calling-manager.ts'

export interface Chain {
  readonly run: NextAdvisor
  /** Of the manager that runs the calls. */
  readonly settings: ManagerSettings
  readonly streamToolCallResponses: boolean | undefined
}

export interface ChainOptions {
  readonly advisors: readonly Advisor[]
  readonly toolCalling: boolean | ToolCallingAdvisorOptions
  /** What the final answer must be. */
  readonly output?: StructuredOutput | undefined
  /** Instead of the manager's; the others stay. */
  readonly limits?: Partial<Limits> | undefined
}

/** The same chain for a run with limits of its own. */
export const limitedChain = (chain: Chain, limits: Partial<Limits>): Chain => ({
  ...chain,
  settings: limitedSettings(chain.settings, limits),
})

const limitedSettings = (settings: ManagerSettings, limits: Partial<Limits>): ManagerSettings => ({
  ...settings,
  limits: normalLimits(limits, settings.limits),
})

export function buildChain(manager: ToolCallingManager, options: ChainOptions): Chain {
  const { advisors, toolCalling, output, limits } = options
  const given = givenLoop(options)
  const owner = toolCalling === false ? undefined : loopOf(given, manager, options)
  // Equal orders keep insertion order: a given loop stays where it was given, an added one comes last.
  const placed = advisors.flatMap((each) => (each === given ? (owner ?? []) : each))
  const all: Advisor[] = owner && !given ? [...placed, owner] : [...placed]
  if (owner) all.unshift(...outsideParts(all, owner))
  const { manager: ownManager, streamToolCallResponses } = owner?.toolCalling ?? {}
  const managerSettings = settingsOf(ownManager ?? manager)
  const settings = limits ? limitedSettings(managerSettings, limits) : managerSettings
  if (output) {
    // Inside the loop and every memory, wherever they stand: tool rounds and corrections are no answers.
    const orders = all.map((each) => (each.role ? each.order : 0))
    const order = Math.max(ORDER.structuredOutput, ...orders)
    all.push(output.advisor({ order, rounds: settings.limits.rounds }))
  }
  const run = chainAdvisors(orderAdvisors(all), modelStep(settings.ids))
  return { run, settings, streamToolCallResponses }
}

/** The loop among the advisors, if one was given. */
function givenLoop({ advisors, toolCalling }: ChainOptions): LoopAdvisor | undefined {
  const [given, ...more] = advisors.filter(isLoopAdvisor)
  if (more.length === 0 && !(given && typeof toolCalling === 'object')) return given
  const names = [given!, ...more].map(({ name, order }) => `${name} (order ${order})`)
  if (more.length === 0) names.push('the settings in toolCalling')
  throw new ConfigurationError(
    'two-tool-calling-advisors',
    `There is more than one tool-calling advisor: ${names.join(' and ')}.`,
  )
}

/** The outer halves of memories inside the loop. First, so that they stand outside a loop of the same order. */
const outsideParts = (advisors: readonly Advisor[], { order }: Advisor): readonly Advisor[] =>
  advisors.flatMap((each) =>
    isMemoryAdvisor(each) && each.order > order ? (each.outsideLoop?.(order) ?? []) : [],
  )

function loopOf(
  given: LoopAdvisor | undefined,
  manager: ToolCallingManager,
  { advisors, toolCalling }: ChainOptions,
): LoopAdvisor {
  const asked = typeof toolCalling === 'object' ? toolCalling : {}
  const settings = given ? (given.toolCalling ?? {}) : asked
  const order = given?.order ?? asked.order ?? ORDER.toolCalling
  const hasInnerMemory = advisors.some((each) => isMemoryAdvisor(each) && each.order > order)
  const { conversationHistory = given ? true : !hasInnerMemory } = settings
  if (!conversationHistory && !hasInnerMemory) {
    throw new ConfigurationError(
      'history-without-memory',
      'conversationHistory is off, and no memory advisor stands inside the loop.',
    )
  }
  if (!given) return toolCallingAdvisor({ manager, ...asked, conversationHistory })
  return settings.manager ? given : (given.withManager?.(manager) ?? given)
}
