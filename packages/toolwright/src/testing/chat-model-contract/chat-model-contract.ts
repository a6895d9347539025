/** The suite every chat model must pass, whatever provider it speaks to. */
import type { ContractCase } from '../contract-case.ts'
import { ANSWER_CASES, REASONING_CASES } from './answer-cases.ts'
import { CONDUCT_CASES, secretCases } from './conduct-cases.ts'
import { toContractCase } from './model-trial.ts'
import type { ChatModelContractSetup } from './model-under-test.ts'
import { REQUEST_CASES } from './request-cases.ts'

/**
 * @example
 * const suite = chatModelContract({
 *   seesRequests: true,
 *   async create(turns, options) {
 *     const server = await faultServer({ dialect: 'openai-compatible', turns })
 *     return {
 *       model: openaiCompatible('any', { baseUrl: server.baseUrl, options }),
 *       sent: () => server.requests.map((request) => request.text),
 *       close: () => server.close(),
 *     }
 *   },
 * })
 * for (const { name, run } of suite) it(name, run)
 */
export function chatModelContract(setup: ChatModelContractSetup): readonly ContractCase[] {
  const cases = [
    ...ANSWER_CASES,
    ...(setup.reasoning === false ? [] : REASONING_CASES),
    ...CONDUCT_CASES,
    ...(setup.secrets?.length ? secretCases(setup.secrets) : []),
    ...(setup.seesRequests ? REQUEST_CASES : []),
  ]
  return cases.map((modelCase) => toContractCase(setup, modelCase))
}
