/**
 * Mirrors `ToolExecutionEligibilityPredicate` of 1.x: whether a model that runs its tools itself
 * is to run these. The default looks at `internalToolExecution` and for calls; this one refuses
 * odd ends too.
 */
import assert from 'node:assert/strict'
import { hasToolCalls, textOf, withToolExecution } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const now = { toolCalls: [{ name: 'getCurrentDateTime' }] }
const inner = scriptedModel([now, 'Tomorrow is 2015-10-21.', { ...now, finishReason: 'other' }])
const model = withToolExecution(inner, {
  eligible: (options, response) =>
    options.internalToolExecution !== false &&
    hasToolCalls(response) &&
    response.results[0]?.finishReason === 'tool-calls',
})
const prompt = {
  messages: [{ role: 'user', content: 'What day is tomorrow?' }] as const,
  options: { tools: [new DateTimeTools()] },
}

assert.equal(textOf(await model.call(prompt)), 'Tomorrow is 2015-10-21.')
assert.ok(hasToolCalls(await model.call(prompt)), 'handed out unexecuted')
const asked = received(inner.prompts)
assert.deepEqual(asked[1]?.results, ['2015-10-20 07:28:00 UTC'])
assert.equal(asked.length, 3)
