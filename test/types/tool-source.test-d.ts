/** What may be offered as tools, and what the compiler refuses. */
import {
  ChatClient,
  tool,
  type ChatModel,
  type ToolCallback,
  type ToolCallbackProvider,
  type ToolSource,
} from 'toolwright'
import { describe, expectTypeOf, it } from 'vitest'

declare const model: ChatModel
declare const callback: ToolCallback
declare const provider: ToolCallbackProvider
const now = tool({ name: 'now', execute: () => 'noon' })

describe('a tool source', () => {
  it('is a tool, a provider, a record of tools, or an array of these', () => {
    expectTypeOf(now).toExtend<ToolSource>()
    expectTypeOf(callback).toExtend<ToolSource>()
    expectTypeOf(provider).toExtend<ToolSource>()
    expectTypeOf({ now, callback }).toExtend<ToolSource>()
    expectTypeOf([now, [provider, { callback }]]).toExtend<ToolSource>()
    ChatClient.create(model).prompt('go').tools(now, provider, { now }, [callback])
  })

  it('is an instance or a class', () => {
    class AlarmTools {
      readonly alarms: string[] = []
      getAlarms(): readonly string[] {
        return this.alarms
      }
    }
    expectTypeOf<AlarmTools>().toExtend<ToolSource>()
    ChatClient.create(model).prompt('go').tools(new AlarmTools(), AlarmTools, [new AlarmTools()])
  })

  it('is never a promise or a string', () => {
    const promised = Promise.resolve([now])
    expectTypeOf(promised).not.toExtend<ToolSource>()
    expectTypeOf<string>().not.toExtend<ToolSource>()
    const request = ChatClient.create(model).prompt('go')
    // @ts-expect-error await it first
    request.tools(promised)
    // @ts-expect-error await it first
    request.tools([promised])
    // @ts-expect-error names go to .toolNames()
    request.tools('now')
    // @ts-expect-error names go to .toolNames()
    request.tools(['now'])
  })
})
