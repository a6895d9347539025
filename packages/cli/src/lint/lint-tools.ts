/** Finds problems of tool definitions, as a model and its provider see them. */
import type { ToolCallback } from 'toolwright'
import { checkBudget } from './check-budget.ts'
import { checkDescription } from './check-description.ts'
import { checkNames } from './check-names.ts'
import { checkParameters } from './check-parameters.ts'
import { findConfusable } from './find-confusable.ts'
import type { Finding, ToolCheck } from './finding.ts'

const CHECKS: readonly ToolCheck[] = [checkNames, checkDescription, checkParameters]

export interface LintOptions {
  /** The most tokens that all definitions together may take. */
  readonly budget?: number
}

/** Findings about each tool first, then those about several. */
export async function lintTools(
  tools: readonly Pick<ToolCallback, 'definition'>[],
  { budget }: LintOptions = {},
): Promise<readonly Finding[]> {
  const definitions = tools.map(({ definition }) => definition)
  return [
    ...definitions.flatMap((definition) => CHECKS.flatMap((check) => check(definition))),
    ...(await findConfusable(definitions)),
    ...checkBudget(definitions, budget),
  ]
}
