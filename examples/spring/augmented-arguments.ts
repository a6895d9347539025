/**
 * Mirrors `AugmentedToolCallbackProvider` with the record `AgentThinking`: the model is asked for
 * more than the tool takes; the consumer gets it, the tool does not.
 */
import assert from 'node:assert/strict'
import { augmentTools, ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const agentThinking = z.object({
  innerThought: z.string().describe('Your reasoning for calling this tool'),
  confidence: z.enum(['low', 'medium', 'high']).optional().describe('Confidence level'),
})

const log: string[] = []
const tools = new DateTimeTools()
const provider = augmentTools(tools, {
  input: agentThinking,
  onArguments: ({ toolDefinition, arguments: thinking }) =>
    void log.push(`${toolDefinition.name}: ${thinking.innerThought}`),
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
const schema = first?.definitions.find(({ name }) => name === 'setAlarm')?.inputSchema
assert.deepEqual(Object.keys(schema?.properties ?? {}), ['time', 'innerThought', 'confidence'])
assert.deepEqual(schema?.required, ['time', 'innerThought'])
assert.deepEqual(log, [`setAlarm: ${innerThought}`])
assert.deepEqual(tools.alarms, [time])
assert.deepEqual(second?.results, ['Done'])
