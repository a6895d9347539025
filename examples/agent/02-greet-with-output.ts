/** The seed's own request: one tool and the wanted output, composed into one schema; one step, nothing executed. */
import assert from 'node:assert/strict'
import { Agent } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'

const solution = {
  meta: { path: '/greetings', version: '2' },
  calls: [{ _tool: 'greetUser', userName: 'Ada' }],
  output: { summary: 'Ada is to be greeted.' },
}
const model = scriptedModel([JSON.stringify(solution)], {
  capabilities: { structuredOutput: true },
})
const answer = await Agent.Request(
  { model, options: { temperature: 0 } },
  { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] },
  [
    {
      type: 'tool',
      tool: {
        greetUser: {
          type: 'object',
          properties: { userName: { type: 'string' } },
          required: ['userName'],
        },
      },
    },
    { type: 'text', text: 'Greet Ada' },
  ],
)
console.log(answer.output?.summary, answer.calls)
assert.deepEqual(answer, solution)
const { properties } = model.prompts[0]!.options!.outputSchema!
assert.deepEqual(Object.keys(properties!), ['meta', 'output', 'calls'])
