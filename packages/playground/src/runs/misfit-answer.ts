/**
 * An answer that does not fit the form it was asked for. The tool that asked would find it too, but only after the state is
 * used up, and ask once more in words: found here, the form stays open, with the messages at its fields.
 */
import { checkJson, type Decisions, type JsonSchema, type PendingCall } from 'toolwright'
import type { RefusedDecision } from '../protocol/shown-content.ts'
import { fieldIssue } from '../server/field-issue.ts'
import { questionForm } from '../shown/question-form.ts'

export function misfitAnswer(
  decisions: Decisions,
  pending: readonly PendingCall[],
): RefusedDecision | undefined {
  for (const { callId, toolName, question } of pending) {
    const form = questionForm(question)
    const given = Object.hasOwn(decisions, callId) ? decisions[callId] : undefined
    const { answer } = Object(given) as { readonly answer?: unknown }
    if (!form || !isFields(answer, form)) continue
    const checked = checkJson(form, { ...defaultsOf(form), ...answer })
    if (!checked.ok)
      return {
        code: 'decision-invalid-answer',
        message: `The answer does not fit what tool "${toolName}" asks. Correct it.`,
        callId,
        issues: checked.issues.map(fieldIssue),
      }
  }
  return undefined
}

/** Rather than words, or `{ action: 'decline' }`: the tool that asked judges those. */
const isFields = (answer: unknown, { properties = {} }: JsonSchema): answer is object =>
  typeof answer === 'object' &&
  answer !== null &&
  !Array.isArray(answer) &&
  (!('action' in answer) || Object.hasOwn(properties, 'action'))

/** The tool that asks fills in what is left out. */
function defaultsOf({ properties = {} }: JsonSchema): object {
  const fields = Object.entries(properties as { readonly [name: string]: JsonSchema })
  return Object.fromEntries(
    fields.flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default] as const],
    ),
  )
}
