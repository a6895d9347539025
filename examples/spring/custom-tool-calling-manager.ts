/**
 * Mirrors implementing `ToolCallingManager`: two methods, one says what the model is told, the
 * other runs its calls. This one keeps a record of each batch and leaves the work to the default.
 */
import assert from 'node:assert/strict'
import { ChatClient, toolCallingManager, toolCallsOf, type ToolCallingManager } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

class RecordingManager implements ToolCallingManager {
  readonly record: string[] = []
  readonly #inner = toolCallingManager()

  resolveToolDefinitions: ToolCallingManager['resolveToolDefinitions'] = (options) =>
    this.#inner.resolveToolDefinitions(options)

  executeToolCalls: ToolCallingManager['executeToolCalls'] = async (prompt, response, run) => {
    const result = await this.#inner.executeToolCalls(prompt, response, run)
    for (const [index, call] of toolCallsOf(response).entries())
      this.record.push(`${call.name} -> ${String(result.responses[index]?.content)}`)
    return result
  }
}

const manager = new RecordingManager()
const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
])
await ChatClient.create(model, { manager })
  .prompt('What day is tomorrow?')
  .tools(new DateTimeTools())
  .call()
  .content()

assert.deepEqual(manager.record, ['getCurrentDateTime -> 2015-10-20 07:28:00 UTC'])
assert.deepEqual(received(model.prompts)[1]?.results, ['2015-10-20 07:28:00 UTC'])
