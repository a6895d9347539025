/** Mistakes of a first day ended in a TypeError, or in a message about something else. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  ConfigurationError,
  defineTools,
  methodTool,
  tool,
  toolsOf,
  type ToolSource,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { keywordToolIndex, toolSearchAdvisor } from 'toolwright/tool-search'
import * as v from 'valibot'
import * as zodMini from 'zod/mini'
import { z as zod3 } from 'zod/v3'
import { scenario, eventsOf } from '../e2e/scenario.ts'

const weather = tool({ name: 'weather', execute: () => 'sunny' })
const other = tool({ name: 'other', execute: () => 'other' })
const client = ChatClient.create(scriptedModel([]))
const given = (source: unknown) => () => client.prompt('Go').tools(source as ToolSource)

function refused(run: () => unknown, words: string | RegExp): void {
  expect(run).toThrow(ConfigurationError)
  expect(run).toThrow(words)
}

describe('tools that are no list', () => {
  const words = /tools.* takes a list.*\[weather\]/

  it.each([weather, 'weather', 5])('are refused by a client', (tools) => {
    refused(() => ChatClient.create(scriptedModel([]), { tools: tools as never }), words)
  })

  it('are refused in options, before the model is asked', () => {
    const model = scriptedModel(['never'])
    const options = { tools: weather as never }
    const messages = [{ role: 'user', content: 'Go' }] as const
    refused(() => ChatClient.create(model, { options }), words)
    refused(() => ChatClient.create(model).prompt('Go').options(options), words)
    refused(() => ChatClient.create(model).prompt({ messages, options }), words)
    expect(model.prompts).toEqual([])
  })

  it('are refused where a model holds them, also when others are added', async () => {
    const model = Object.assign(scriptedModel(['never']), { options: { tools: weather as never } })
    const request = ChatClient.create(model).prompt('Go')
    await expect(request.call().content()).rejects.toThrow(words)
    await expect(request.addTools(other).call().content()).rejects.toThrow(words)
    expect(model.prompts).toEqual([])
  })
})

describe('a maker without options', () => {
  it('says that it takes an object', () => {
    refused(() => tool(undefined as never), 'tool() takes an object of options')
    refused(() => tool(null as never), 'tool() takes an object of options')
    refused(() => tool('weather' as never), 'tool() takes an object of options')
    refused(() => methodTool(undefined as never), 'methodTool() takes an object of options')
    refused(() => defineTools<any>({ now: undefined }), 'now of defineTools() takes an object')
  })
})

describe('a source that is none', () => {
  function getWeather(): string {
    return 'sunny'
  }

  it('a function is to be made a tool', () => {
    refused(
      given(getWeather),
      "A function was given as a tool source: write tool({ name: 'getWeather', description, input, execute: getWeather }).",
    )
    refused(given([async () => 1]), 'write tool({ name:')
  })

  it('a class is to be instantiated, also one that is compiled to a function', () => {
    class Empty {}
    function Old(): void {}
    Old.prototype.now = () => 1
    refused(given(Empty), 'Empty has no static tools: pass an instance of it.')
    refused(given(Old), 'Old has no static tools: pass an instance of it.')
  })

  it('options are to be given to tool()', () => {
    const words = 'The options of a tool were given: write tool({ ... }).'
    refused(given({ name: 'a', description: 'A', execute: () => 1 }), words)
    refused(given([{ description: 'A', parameters: {} }]), words)
    refused(given({ execute: () => 1 }), words)
  })

  it('a record holds tools, not options or functions', () => {
    refused(
      given({ weather: { description: 'Weather', execute: () => 1 } }),
      'In a record of tools, "weather" is object with "description", "execute": write weather: tool({ ... }).',
    )
    refused(given({ weather: getWeather }), 'write weather: tool({ ... }).')
  })

  it('what comes later is to be waited for', () => {
    refused(given(Promise.resolve(weather)), 'await it first')
    refused(given((async function* () {})()), 'await it first')
  })

  it.each([null, undefined, 5, true, Symbol('a')])('%s is no source', (nothing) => {
    refused(given([nothing]), 'There are no tools in')
  })
})

describe('a name', () => {
  const long = 'a'.repeat(129)
  const words = /is longer than 128 characters/

  it('has at most 128 characters, wherever it comes from', async () => {
    const execute = (): number => 1
    const scratch = { ...weather.definition, name: long }
    refused(() => tool({ name: long, execute }), words)
    refused(() => methodTool({ name: long, method: execute }), words)
    refused(() => toolsOf({ [long]: tool({ execute }) }), words)
    refused(given({ definition: scratch, metadata: weather.metadata, call: weather.call }), words)
    class Long {
      static tools = defineTools<any>({ [long]: {} })
      readonly [long] = execute
    }
    refused(given(new Long()), words)
    expect(tool({ name: 'a'.repeat(128), execute }).definition.name).toHaveLength(128)
  })

  it('is needed', () => {
    refused(given(tool({ execute: () => 1 })), "write tool({ name: 'weather', ... })")
    refused(() => tool({ name: ' ' }), 'name is " "; it takes a non-empty text')
    const definition = { description: '', inputSchema: {} }
    refused(given({ definition, call: weather.call }), 'A tool has no name')
  })
})

describe('a schema that gives no JSON Schema says the fix:', () => {
  it.each([
    ['valibot', v.object({}), "wrap it: toStandardJsonSchema(schema), import { toStandardJsonSchema } from '@valibot/to-json-schema'"],
    ['zod/mini', zodMini.object({}), "import { z } from 'zod', 4.2 or newer, not from 'zod/mini'"],
    ['zod 3', zod3.object({}), "it is of zod 3; install zod 4.2 or newer, and import { z } from 'zod', not from 'zod/v3'"],
    ['another', { '~standard': { version: 1, vendor: 'other', validate: () => ({ value: 1 }) } }, 'or a plain JSON Schema'],
  ])('%s', async (_name, input, words) => {
    refused(() => tool({ name: 'a', input: input as never }), words)
    refused(() => tool({ name: 'a', output: input as never }), words)
    const asked = client.prompt('Go').call().entity(input as never)
    await expect(asked).rejects.toThrow(words)
  }) // prettier-ignore
})

describe('pinned tools', () => {
  const index = keywordToolIndex()

  it.each(['weather', [weather], { weather: true }, null])('are named in a list', (pinned) => {
    refused(
      () => toolSearchAdvisor({ index, pinned: pinned as never }),
      "it takes a list of tool names: pinned: ['weather'].",
    )
  })

  scenario('that are not offered are told in a notice, with the nearest', {
    script: ['Hello.'],
    client: () => ({
      advisors: [toolSearchAdvisor({ index: keywordToolIndex(), pinned: ['wether'] })],
    }),
    tools: () => [weather],
    check({ events }) {
      expect(eventsOf(events, 'notice').map(({ message }) => message)).toEqual([
        '"wether" is pinned, but not among the tools of this request. Did you mean "weather"? pinned takes names of tools that are offered.',
      ])
    },
  })
})
