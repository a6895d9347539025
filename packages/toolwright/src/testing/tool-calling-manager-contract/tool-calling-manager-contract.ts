/** The suite every tool calling manager must pass: the rules of running a model's calls. */
import type { ContractCase } from '../contract-case.ts'
import { BATCH_CASES } from './batch-cases.ts'
import { CONTEXT_CASES } from './context-cases.ts'
import { FAILURE_CASES } from './failure-cases.ts'
import { LIMIT_CASES } from './limit-cases.ts'
import { toContractCase, type CreateManager, type ManagerContractOptions } from './manager-trial.ts'
import { REFUSAL_CASES } from './refusal-cases.ts'
import { RESUME_CASES } from './resume-cases.ts'
import { SUSPENSION_CASES } from './suspension-cases.ts'
import { TIME_CASES } from './time-cases.ts'

/**
 * @example
 * for (const { name, run } of toolCallingManagerContract(toolCallingManager)) it(name, run)
 */
export function toolCallingManagerContract(
  create: CreateManager,
  options: ManagerContractOptions = {},
): readonly ContractCase[] {
  const cases = [
    ...BATCH_CASES,
    ...REFUSAL_CASES,
    ...FAILURE_CASES,
    ...TIME_CASES,
    ...LIMIT_CASES,
    ...SUSPENSION_CASES,
    ...RESUME_CASES,
    ...CONTEXT_CASES,
  ]
  return cases.map((managerCase) => toContractCase({ create, ...options }, managerCase))
}
