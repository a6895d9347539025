/**
 * Mirrors implementing `ToolCallingManager`: two methods, one says what the model is told, the
 * other runs its calls. This one words descriptions its own way, keeps a tool back, records each
 * batch and leaves the work to the default.
 */
import assert from 'node:assert/strict'
import { ChatClient, toolCallingManager, toolCallsOf, type ToolCallingManager } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

class RecordingManager implements ToolCallingManager {
  readonly record: string[] = []
  readonly #inner = toolCallingManager()

  resolveToolDefinitions: ToolCallingManager['resolveToolDefinitions'] = async (options) => {
    const definitions = await this.#inner.resolveToolDefinitions(options)
    return definitions
      .filter(({ name }) => name !== 'setAlarm')
      .map((definition) => ({ ...definition, description: `${definition.description}, in words` }))
  }

  executeToolCalls: ToolCallingManager['executeToolCalls'] = async (prompt, response, run) => {
    const result = await this.#inner.executeToolCalls(prompt, response, run)
    for (const [index, call] of toolCallsOf(response).entries())
      this.record.push(`${call.name} -> ${String(result.responses[index]?.content)}`)
    return result
  }
}

const manager = new RecordingManager()
const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }, { name: 'setAlarm', arguments: { time: 'now' } }] },
  'Tomorrow is 2015-10-21.',
])
const tools = new DateTimeTools()
await ChatClient.create(model, { manager })
  .prompt('What day is tomorrow?')
  .tools(tools)
  .call()
  .content()

const [first, second] = received(model.prompts)
assert.deepEqual(
  first?.definitions.map(({ name, description }) => [name, description]),
  [['getCurrentDateTime', "Get the current date and time in the user's timezone, in words"]],
)
assert.equal(manager.record[0], 'getCurrentDateTime -> 2015-10-20 07:28:00 UTC')
assert.equal(manager.record.length, 2)
assert.equal(second?.results[0], '2015-10-20 07:28:00 UTC')
assert.match(JSON.stringify(second?.results[1]), /error.*there is no tool called .*setAlarm/)
assert.deepEqual(tools.alarms, [])
