/**
 * An answer that must fit a schema: how the run is shaped for it, and what it is in the end. Loaded with the
 * first entity that is asked for.
 */
import { ModelResponseError, type UnfinishedResult } from '../errors/errors.ts'
import { describeIssue } from '../errors/issue.ts'
import type { SchemaSource } from '../tools/tool.ts'
import type { Advisor } from '../loop/advisor.ts'
import { answerFormat } from './answer-format.ts'
import {
  structuredOutputAdvisor,
  type StructuredOutputOptions,
} from './structured-output-advisor.ts'

export interface StructuredOutput {
  /** Holds one run to the schema. */
  advisor(options: StructuredOutputOptions): Advisor
  /** What the text is by the schema. Rejects with `ModelResponseError` when it does not fit. */
  entityIn(text: string, result: UnfinishedResult): Promise<unknown>
}

/** Throws a `ConfigurationError` for what is no schema. */
export function structuredOutput(schema: SchemaSource): StructuredOutput {
  const format = answerFormat(schema)
  return {
    advisor: (options) => structuredOutputAdvisor(format, options),
    async entityIn(partial, result) {
      const checked = await format.check(partial)
      if (checked.ok) return checked.value
      const { issues } = checked
      const wrong = issues.map(describeIssue).join('; ')
      throw new ModelResponseError('invalid-answer', `The answer does not fit: ${wrong}.`, {
        partial,
        issues,
        result,
      })
    },
  }
}
