/** Warnings of a model as notices of a run. */
import type { ChatEvent } from 'toolwright'
import { received, textOr, toJson } from './received.ts'

const WARNINGS_TOLD = 20

/** What the provider's adapter could not do as it was told, as notices. */
export function warningNotices(provider: string, warnings: unknown): readonly ChatEvent[] {
  if (!Array.isArray(warnings)) return []
  return warnings.slice(0, WARNINGS_TOLD).map((given: unknown) => {
    const warning = received(given)
    const { type, feature, setting, tool, details, message } = warning
    const what = [feature, setting, received(tool).name].find((each) => typeof each === 'string')
    const subject = what === undefined ? '' : `${String(what)} (${textOr(type, 'warning')})`
    const words = [subject, message, details].filter(
      (each) => typeof each === 'string' && each !== '',
    )
    return {
      type: 'notice',
      code: 'model-warning',
      message: `${provider} warns: ${words.join(': ')}`,
      data: toJson(warning),
    }
  })
}
