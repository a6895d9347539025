/**
 * Mirrors `AugmentedToolCallbackProvider` with the record `AgentThinking`: the model is asked for
 * more than the tool takes; the consumer gets it, the tool does not.
 */
import assert from 'node:assert/strict'
import { augmentTools, ChatClient, Tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { received } from './shared/received.ts'

const agentThinking = z.object({
  innerThought: z.string().describe('Your reasoning for calling this tool'),
  confidence: z.enum(['low', 'medium', 'high']).optional().describe('Confidence level'),
})

class AlarmTools {
  readonly taken: unknown[] = []

  @Tool({ input: z.object({ time: z.iso.datetime().describe('Time in ISO-8601 format') }) })
  setAlarm(input: { time: string }): void {
    this.taken.push(input)
  }
}

const log: unknown[] = []
const tools = new AlarmTools()
const provider = augmentTools(tools, {
  input: agentThinking,
  onArguments: ({ toolDefinition, arguments: thinking }) =>
    void log.push([toolDefinition.name, thinking]),
})

const time = '2015-10-21T07:28:00Z'
const innerThought = 'They must not miss the train'
const model = scriptedModel([
  { toolCalls: [{ name: 'setAlarm', arguments: { time, innerThought, confidence: 'high' } }] },
  'The alarm is set.',
])
await ChatClient.create(model, { tools: [provider] })
  .prompt('Wake me at 7:28')
  .call()
  .content()

const [first, second] = received(model.prompts)
const schema = first?.definitions[0]?.inputSchema
assert.deepEqual(schema?.required, ['time', 'innerThought'])
assert.deepEqual(
  Object.values(schema?.properties ?? {}).map((property) => Object(property).description),
  ['Time in ISO-8601 format', 'Your reasoning for calling this tool', 'Confidence level'],
)
assert.deepEqual(log, [['setAlarm', { innerThought, confidence: 'high' }]])
assert.deepEqual(tools.taken, [{ time }])
assert.deepEqual(second?.results, ['Done'])
