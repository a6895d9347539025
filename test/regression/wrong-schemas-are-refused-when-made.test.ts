/** A misspelt JSON Schema was taken as it was: the model was told less than the author meant. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  ConfigurationError,
  defineTools,
  methodTool,
  Tool,
  tool,
  toolRegistry,
  toolsOf,
  type JsonSchema,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { eventsOf, scenario } from '../e2e/scenario.ts'

const city = { type: 'string' } as const
const WRONG = {
  'a type that does not exist': [
    { type: 'object', properties: { city: { type: 'strng' } } },
    '$.properties.city.type of the schema is "strng". Did you mean "string"?',
  ],
  'a misspelt keyword': [
    { type: 'object', propertys: { city } },
    '$.propertys of the schema is no keyword. Did you mean "properties"?',
  ],
  'a misspelt limit, deep inside': [
    { type: 'object', properties: { all: { type: 'array', items: { minLenght: 1 } } } },
    '$.properties.all.items.minLenght of the schema is no keyword. Did you mean "minLength"?',
  ],
  'a required key that no property has': [
    { type: 'object', properties: { city }, required: ['citty'] },
    '$.required of the schema names "citty", which is no property. Did you mean "city"?',
  ],
} as const

const execute = (): string => 'ran'
const MAKERS: Readonly<Record<string, (schema: never) => unknown>> = {
  'tool({ input })': (input) => tool({ name: 'a', input, execute }),
  'tool({ output })': (output) => tool({ name: 'a', output, execute: execute as never }),
  'tool({ context })': (context) => tool({ name: 'a', context, execute }),
  'toolRegistry().register()': (input) => toolRegistry().register('a', { input, execute }),
  'methodTool({ input })': (input) => methodTool({ method: execute, input }),
  'methodTool({ inputSchema })': (inputSchema) => methodTool({ method: execute, inputSchema }),
  '@Tool()': (input) => {
    class Wrong {
      @Tool({ input })
      run(): void {}
    }
    return toolsOf(new Wrong())
  },
  'defineTools()': (input) => {
    class Wrong {
      static tools = defineTools<any>({ run: { input } })
      run(): void {}
    }
    return toolsOf(new Wrong())
  },
}

describe.each(Object.entries(MAKERS))('%s refuses', (_name, make) => {
  it.each(Object.entries(WRONG))('%s', (_case, [schema, words]) => {
    expect(() => make(schema as never)).toThrow(ConfigurationError)
    expect(() => make(schema as never)).toThrow(words)
  })
})

it.each(Object.entries(WRONG))('entity() refuses %s', async (_case, [schema, words]) => {
  const model = scriptedModel(['{}'])
  const asked = ChatClient.create(model)
    .prompt('Go')
    .call()
    .entity(schema as JsonSchema)
  await expect(asked).rejects.toMatchObject({ code: 'invalid-schema' })
  await expect(asked).rejects.toThrow(words)
  expect(model.prompts).toEqual([])
})

it.each([undefined, null, 'city', 5])('entity(%j) is invalid-schema', async (schema) => {
  const model = scriptedModel(['{}'])
  const asked = ChatClient.create(model)
    .prompt('Go')
    .call()
    .entity(schema as never)
  await expect(asked).rejects.toMatchObject({ code: 'invalid-schema' })
  expect(model.prompts).toEqual([])
})

const odd = {
  type: 'object',
  properties: { city: { type: 'string', 'x-order': 1, nullable: true } },
} as JsonSchema

scenario('keywords of other vocabularies pass, are sent, and a notice names them', {
  script: [{ toolCalls: [{ name: 'find', arguments: { city: 'Oslo' } }] }, 'Found.'],
  tools: () => [
    tool({ name: 'find', input: odd, execute: () => 'found' }),
    tool({ name: 'plain', input: { type: 'object', properties: { city } }, execute }),
  ],
  check({ prompts, events, result }) {
    expect(result.status).toBe('done')
    const [find] = toolsOf(prompts[0]!.options!.tools!)
    expect(find!.definition.inputSchema.properties).toEqual(odd.properties)
    expect(eventsOf(events, 'notice')).toMatchObject([
      {
        code: 'unknown-keywords',
        message: 'The schema of tool "find" has keywords that are not checked: x-order, nullable.',
        data: { tool: 'find', keywords: ['x-order', 'nullable'] },
      },
    ])
  },
})
