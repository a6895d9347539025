/** The worked examples of the protocol, exact; what each composed schema accepts and rejects is asked of another validator. */
import { Validator, type Schema } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { META_SCHEMAS } from '../../../../../scripts/draft-2020-12-meta-schemas.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AgentMessage, AgentNotice, ToolSchema } from '../agent-message.ts'
import { agentRegistry, type AgentRegistry } from '../registry/agent-registry.ts'
import { composeSchema, type ComposeSchemaOptions } from './compose-schema.ts'

const SUM: JsonSchema = {
  type: 'object',
  properties: { summary: { type: 'string' } },
  required: ['summary'],
}
const NULLABLE_SUM = {
  type: ['object', 'null'],
  properties: { summary: { type: 'string' } },
  required: ['summary'],
  additionalProperties: false,
}
const META = {
  type: 'object',
  description: 'Meta',
  properties: { path: { type: 'string' }, version: { type: 'string' } },
}
const greetUser: ToolSchema = {
  type: 'object',
  properties: { userName: { type: 'string' } },
  required: ['userName'],
}
const weatherCheck: ToolSchema = {
  type: 'object',
  description: 'Current weather. Returns {temperature, conditions}.',
  properties: {
    _tool: { type: 'string', const: 'weatherCheck' },
    location: { type: 'string' },
    _output: {
      type: 'object',
      properties: { temperature: { type: 'number' }, conditions: { type: 'string' } },
      required: ['temperature', 'conditions'],
    },
  },
  required: ['location', '_output'],
}
const sentimentAnalysis: ToolSchema = {
  type: 'object',
  description: 'Rates text tone',
  properties: {
    _tool: { type: 'string', const: 'sentimentAnalysis' },
    text: { type: 'string' },
    _output: {
      type: 'object',
      properties: { sentiment: { type: 'string' }, confidence: { type: 'number' } },
    },
  },
  required: ['text'],
}
const GREET_ITEM = {
  type: 'object',
  properties: { _tool: { const: 'greetUser' }, userName: { type: 'string' } },
  required: ['_tool', 'userName'],
}
const WEATHER_ITEM = {
  type: 'object',
  description: 'Current weather. Returns {temperature, conditions}.',
  properties: {
    _tool: { type: 'string', const: 'weatherCheck' },
    location: { type: 'string' },
  },
  required: ['_tool', 'location'],
}
const SENTIMENT_ITEM = {
  type: 'object',
  description: 'Rates text tone',
  properties: {
    _tool: { type: 'string', const: 'sentimentAnalysis' },
    text: { type: 'string' },
    _output: {
      type: 'object',
      properties: { sentiment: { type: 'string' }, confidence: { type: 'number' } },
    },
  },
  required: ['_tool', 'text'],
}

const withWeather = (): AgentRegistry => {
  const registry = agentRegistry()
  registry.activity('weatherCheck', () => ({ temperature: 20, conditions: 'sunny' }))
  return registry
}

/** Composes, and has the result checked by the meta-schema. */
function composed(options: Partial<ComposeSchemaOptions>): JsonSchema {
  const before = JSON.stringify([options.output, options.context])
  const schema = composeSchema({
    metaDescription: 'Meta',
    registry: agentRegistry(),
    context: [],
    ...options,
  })
  expect(JSON.stringify([options.output, options.context])).toBe(before)
  expect(metaProblems(schema)).toEqual([])
  return schema
}

function metaProblems(schema: JsonSchema): readonly unknown[] {
  const [root, ...vocabularies] = [...META_SCHEMAS.values()] as Schema[]
  const validator = new Validator(root!, '2020-12', false)
  for (const vocabulary of vocabularies) validator.addSchema(vocabulary)
  return validator.validate(schema).errors
}

const accepts = (schema: JsonSchema, answer: unknown): boolean =>
  new Validator(schema as Schema, '2020-12').validate(answer).valid

const tools = (...maps: { readonly [name: string]: ToolSchema }[]): readonly AgentMessage[] =>
  maps.map((tool) => ({ type: 'tool', tool }))

describe('composeSchema', () => {
  it('A: gives exactly the figure of the seed', () => {
    const context = [
      ...tools({ greetUser }),
      { type: 'text' as const, text: 'здесь какой-то запрос' },
    ]
    const metaDescription =
      'Метаданные об идее, включая версию и идентификацию. Ожидается, что LLM обновит это, например, увеличив версию.'
    expect(composed({ output: SUM, context, metaDescription })).toEqual({
      type: 'object',
      properties: {
        meta: {
          type: 'object',
          description: metaDescription,
          properties: { path: { type: 'string' }, version: { type: 'string' } },
        },
        output: {
          type: ['object', 'null'],
          properties: { summary: { type: 'string' } },
          required: ['summary'],
          additionalProperties: false,
        },
        calls: {
          type: 'array',
          items: {
            type: 'object',
            properties: { _tool: { const: 'greetUser' }, userName: { type: 'string' } },
            required: ['_tool', 'userName'],
          },
        },
      },
      required: ['meta', 'calls', 'output'],
    })
  })

  it('A: keeps the order of the figure, which a model reads', () => {
    const schema = composed({ output: SUM, context: tools({ greetUser }) })
    expect(Object.keys(schema)).toEqual(['type', 'properties', 'required'])
    expect(Object.keys(schema.properties!)).toEqual(['meta', 'output', 'calls'])
  })

  it('B: without tools there are no calls', () => {
    expect(composed({ output: SUM })).toEqual({
      type: 'object',
      properties: { meta: META, output: NULLABLE_SUM },
      required: ['meta', 'output'],
    })
  })

  it('C: an explicit tool loses _output, from its properties and from required', () => {
    const schema = composed({
      output: SUM,
      context: tools({ weatherCheck }),
      registry: withWeather(),
    })
    expect(schema.properties!.calls).toEqual({ type: 'array', items: WEATHER_ITEM })
    expect(schema.required).toEqual(['meta', 'calls', 'output'])
  })

  it('C: the same tool without its activity has _output again, verbatim', () => {
    const registry = withWeather()
    composed({ output: SUM, context: tools({ weatherCheck }), registry })
    registry.removeActivity('weatherCheck')
    expect(itemsOf(composed({ output: SUM, context: tools({ weatherCheck }), registry }))).toEqual({
      ...WEATHER_ITEM,
      properties: { ...WEATHER_ITEM.properties, _output: weatherCheck.properties!._output },
      required: ['_tool', 'location', '_output'],
    })
  })

  it('D: a latent tool keeps _output as it is', () => {
    expect(itemsOf(composed({ output: SUM, context: tools({ sentimentAnalysis }) }))).toEqual(
      SENTIMENT_ITEM,
    )
    const { required: _required, ...literal } = sentimentAnalysis
    const seed = composed({ context: tools({ sentimentAnalysis: literal }) })
    expect(itemsOf(seed)).toEqual({ ...SENTIMENT_ITEM, required: ['_tool'] })
  })

  it('E: several tools are alternatives, in their order', () => {
    const context = tools({ weatherCheck, sentimentAnalysis })
    const schema = composed({ output: SUM, context, registry: withWeather() })
    expect(itemsOf(schema)).toEqual({ anyOf: [WEATHER_ITEM, SENTIMENT_ITEM] })
    expect(schema.required).toEqual(['meta', 'calls', 'output'])
  })

  it('F: the last definition wins, at its place, and the first leaves no trace', () => {
    const again: ToolSchema = {
      type: 'object',
      description: 'Greets in a language',
      properties: { userName: { type: 'string' }, lang: { type: 'string', enum: ['en', 'ru'] } },
      required: ['userName', 'lang'],
    }
    const item = {
      type: 'object',
      description: 'Greets in a language',
      properties: {
        _tool: { const: 'greetUser' },
        userName: { type: 'string' },
        lang: { type: 'string', enum: ['en', 'ru'] },
      },
      required: ['_tool', 'userName', 'lang'],
    }
    const context = tools({ greetUser }, { sentimentAnalysis }, { greetUser: again })
    const schema = composed({ output: SUM, context })
    expect(itemsOf(schema)).toEqual({ anyOf: [SENTIMENT_ITEM, item] })
    const answer = (call: object): object => ({ meta: {}, calls: [call], output: null })
    expect(accepts(schema, answer({ _tool: 'greetUser', userName: 'Ada' }))).toBe(false)
    expect(accepts(schema, answer({ _tool: 'greetUser', userName: 'Ada', lang: 'en' }))).toBe(true)
    expect(itemsOf(composed({ context: tools({ greetUser }, { greetUser: again }) }))).toEqual(item)
  })

  it('G: without an output schema there is no output; with nothing there is only meta', () => {
    expect(composed({ context: tools({ greetUser }) })).toEqual({
      type: 'object',
      properties: { meta: META, calls: { type: 'array', items: GREET_ITEM } },
      required: ['meta', 'calls'],
    })
    expect(composed({}).required).toEqual(['meta'])
  })

  it('H: reasoning is asked for when it is wanted', () => {
    const context = tools({ greetUser })
    const optional = itemsOf(composed({ context, reasoning: 'optional' })) as JsonSchema
    expect(Object.keys(optional.properties!)).toEqual(['_tool', '_reasoningForCall', 'userName'])
    expect(optional.properties!._reasoningForCall).toMatchObject({ type: 'string' })
    expect(optional.required).toEqual(['_tool', 'userName'])
    const required = itemsOf(composed({ context, reasoning: 'required' })) as JsonSchema
    expect(required.required).toEqual(['_tool', '_reasoningForCall', 'userName'])
  })

  it('I: instances in the context can be chosen by a call', () => {
    const context: readonly AgentMessage[] = [
      ...tools({ greetUser }),
      { type: 'state', _instance: '①', text: 'Hello' },
      { type: 'state', _instance: '②', text: 'Hi' },
    ]
    expect(itemsOf(composed({ context }))).toEqual({
      ...GREET_ITEM,
      properties: { ...GREET_ITEM.properties, _instance: { type: 'string', enum: ['①', '②'] } },
    })
  })

  it('J: an output of any kind may be null', () => {
    const outputOf = (output: JsonSchema): unknown => composed({ output }).properties!.output
    const S = { type: 'string' } as const
    const N = { type: 'number' } as const
    expect(outputOf({ type: 'string', enum: ['a', 'b'] })).toEqual({
      type: ['string', 'null'],
      enum: ['a', 'b', null],
    })
    expect(outputOf({ anyOf: [S, N] })).toEqual({ anyOf: [{ anyOf: [S, N] }, { type: 'null' }] })
    expect(outputOf({ type: ['string', 'number'] })).toEqual({ type: ['string', 'number', 'null'] })
    expect(outputOf({ const: 'x' })).toEqual({ anyOf: [{ const: 'x' }, { type: 'null' }] })
    expect(outputOf({ type: 'array', items: S })).toEqual({ type: ['array', 'null'], items: S })
    expect(outputOf({ ...SUM, additionalProperties: true })).toMatchObject({
      additionalProperties: true,
    })
    expect(outputOf({ type: 'object', properties: {}, allOf: [SUM] })).toEqual({
      anyOf: [{ type: 'object', properties: {}, allOf: [SUM] }, { type: 'null' }],
    })
  })

  it('takes an output schema of a library', () => {
    const output = z.object({ summary: z.string() })
    expect(composed({ output }).properties!.output).toEqual(NULLABLE_SUM)
  })
})

describe('an answer to the figure', () => {
  const schema = composed({ output: SUM, context: tools({ greetUser }) })
  const call = { _tool: 'greetUser', userName: 'Ada' }
  const meta = { path: '/a', version: '2' }

  it.each([
    ['calls and no output', { meta, calls: [call], output: null }],
    ['an output and no calls', { meta, calls: [], output: { summary: 'Done' } }],
    ['both', { meta, calls: [call], output: { summary: 'Done' } }],
    ['meta that says nothing', { meta: {}, calls: [], output: null }],
    [
      'a call that says where its result goes',
      { meta, calls: [{ ...call, _outputPath: '†state.x' }], output: null },
    ],
  ])('may have %s', (_what, answer) => {
    expect(accepts(schema, answer)).toBe(true)
  })

  it.each([
    ['an unknown tool', { meta, calls: [{ ...call, _tool: 'greet' }], output: null }],
    ['a call without its tool', { meta, calls: [{ userName: 'Ada' }], output: null }],
    ['a call without a parameter', { meta, calls: [{ _tool: 'greetUser' }], output: null }],
    ['a parameter of another type', { meta, calls: [{ ...call, userName: 7 }], output: null }],
    ['another key in its output', { meta, calls: [], output: { summary: 'Done', more: 1 } }],
    ['no output at all', { meta, calls: [] }],
    ['no calls at all', { meta, output: null }],
    ['no meta', { calls: [], output: null }],
    ['calls that are no list', { meta, calls: call, output: null }],
    ['a version that is no text', { meta: { version: 2 }, calls: [], output: null }],
  ])('may not have %s', (_what, answer) => {
    expect(accepts(schema, answer)).toBe(false)
  })
})

describe('definitions inside schemas', () => {
  const node: ToolSchema = {
    type: 'object',
    properties: { root: { $ref: '#/$defs/node' }, again: { $ref: '#/properties/root' } },
    required: ['root'],
    $defs: {
      node: {
        type: 'object',
        properties: { value: { type: 'number' }, next: { $ref: '#/$defs/node' } },
        required: ['value'],
      },
    },
  }
  const other: ToolSchema = {
    type: 'object',
    properties: { a: { $ref: '#/definitions/node' } },
    definitions: { node: { type: 'string' } },
  }
  const output: JsonSchema = { $ref: '#/$defs/node', $defs: { node: { type: 'boolean' } } }

  it('move to the top under names of their own, and references follow', () => {
    const schema = composed({ output, context: tools({ insert: node, other }) })
    expect(Object.keys(schema.$defs!)).toEqual(['insert__node', 'other__node', 'output__node'])
    const answer = (call: object, result: unknown = null): object => ({
      meta: {},
      calls: [call],
      output: result,
    })
    const root = { value: 1, next: { value: 2 } }
    expect(accepts(schema, answer({ _tool: 'insert', root, again: root }))).toBe(true)
    expect(
      accepts(schema, answer({ _tool: 'insert', root: { value: 1, next: { value: 'x' } } })),
    ).toBe(false)
    expect(accepts(schema, answer({ _tool: 'insert', root, again: { value: 'x' } }))).toBe(false)
    expect(accepts(schema, answer({ _tool: 'other', a: 'x' }, true))).toBe(true)
    expect(accepts(schema, answer({ _tool: 'other', a: 1 }))).toBe(false)
    expect(accepts(schema, answer({ _tool: 'other', a: 'x' }, 'yes'))).toBe(false)
  })
})

describe('a schema with an id of its own', () => {
  it('keeps its references', () => {
    const size = {
      $id: 'https://example.com/size',
      $ref: '#/$defs/n',
      $defs: { n: { type: 'number' } },
    }
    const schema = composed({ context: tools({ fit: { type: 'object', properties: { size } } }) })
    const answer = (value: unknown): object => ({
      meta: {},
      calls: [{ _tool: 'fit', size: value }],
    })
    expect((itemsOf(schema) as JsonSchema).properties!.size).toEqual(size)
    expect(accepts(schema, answer(1))).toBe(true)
    expect(accepts(schema, answer('x'))).toBe(false)
  })
})

describe('options of composeSchema', () => {
  it('strict: every object is closed, every property required, the optional ones nullable', () => {
    const tool: ToolSchema = {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'object', properties: { c: { type: 'number' } } },
      },
      required: ['a'],
    }
    const schema = composed({ output: SUM, context: tools({ tool }), strict: true })
    expect(itemsOf(schema)).toEqual({
      type: 'object',
      properties: {
        _tool: { const: 'tool' },
        a: { type: 'string' },
        b: {
          type: ['object', 'null'],
          properties: { c: { type: ['number', 'null'] } },
          required: ['c'],
          additionalProperties: false,
        },
      },
      required: ['_tool', 'a', 'b'],
      additionalProperties: false,
    })
    expect(schema.required).toEqual(['meta', 'output', 'calls'])
    expect(schema.additionalProperties).toBe(false)
  })

  it('variables: a parameter may be a reference whatever its type', () => {
    const tool: ToolSchema = {
      type: 'object',
      properties: { n: { type: 'number' }, _outputPath: { const: '†state.n' } },
    }
    const schema = composed({ context: tools({ tool }), variables: true })
    expect((itemsOf(schema) as JsonSchema).properties).toEqual({
      _tool: { const: 'tool' },
      n: { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^†' }] },
      _outputPath: { const: '†state.n' },
    })
  })

  it('meta of the context widens meta', () => {
    const meta = { path: '/a', version: '1', domain: 'docs', branches: ['main'] }
    const schema = composed({ output: SUM, context: [{ type: 'meta', meta }] })
    expect(schema.properties!.meta).toMatchObject({
      properties: {
        domain: { type: 'string' },
        branches: { type: 'array', items: { type: 'string' } },
      },
    })
  })

  it('an unknown one is refused', () => {
    expect(() => composeSchema({ context: [], contxt: [] } as never)).toThrow(
      /Did you mean "context"/,
    )
  })
})

describe('who runs a tool', () => {
  const describing: AgentNotice[] = []
  const compose = (tool: ToolSchema, options: Partial<ComposeSchemaOptions> = {}): JsonSchema => {
    describing.length = 0
    const onNotice = (notice: AgentNotice): void => void describing.push(notice)
    return itemsOf(
      composed({ context: tools({ weatherCheck: tool }), onNotice, ...options }),
    ) as JsonSchema
  }
  const shows = ({ properties }: JsonSchema): boolean => Object.hasOwn(properties!, '_output')
  const pay = { ...weatherCheck, description: 'Checks the sky' }

  it('is the activity of its own name, unless it names one or none', () => {
    const registry = withWeather()
    const naming = (_activity: unknown): ToolSchema => ({
      ...weatherCheck,
      properties: { ...weatherCheck.properties, _activity: _activity as never },
    })
    expect(shows(compose(weatherCheck, { registry }))).toBe(false)
    expect(shows(compose(naming({ const: '' }), { registry }))).toBe(true)
    expect(shows(compose({ ...weatherCheck, _activity: '' }, { registry }))).toBe(true)
    registry.activity('sky', () => 'blue')
    for (const named of [{ const: 'sky' }, 'sky']) {
      const item = compose(naming(named), { registry })
      expect(shows(item)).toBe(false)
      expect(item.properties).not.toHaveProperty('_activity')
    }
  })

  it('is the model when the named activity is missing, with a notice, or an error if wished', () => {
    const missing = { ...weatherCheck, _activity: 'wetherCheck' }
    expect(shows(compose(missing, { registry: withWeather() }))).toBe(true)
    expect(describing).toMatchObject([{ code: 'agent-missing-activity' }])
    expect(() => compose(missing, { registry: withWeather(), missingActivity: 'error' })).toThrow(
      expect.objectContaining({
        code: 'agent-activity',
        message: expect.stringMatching(/"wetherCheck".*Did you mean "weatherCheck"/),
      }),
    )
  })

  it('is a delegate, which hides _output and _delegate', () => {
    const item = compose({ ...weatherCheck, _delegate: 'saved/weather' })
    expect(shows(item)).toBe(false)
    expect(JSON.stringify(item)).not.toContain('_delegate')
  })

  it('a description that says nothing of the result is noticed', () => {
    compose(pay, { registry: withWeather() })
    expect(describing).toMatchObject([
      { code: 'agent-undescribed-result', data: { tool: 'weatherCheck' } },
    ])
    compose(weatherCheck, { registry: withWeather() })
    expect(describing).toEqual([])
  })
})

describe('a tool message', () => {
  it('may be one schema that names itself, or the name of a registered tool', () => {
    const registry = agentRegistry()
    registry.tool('greetUser', greetUser)
    const schema = composed({ registry, context: [{ type: 'tool', tool: 'Tool.greetUser' }] })
    expect(itemsOf(schema)).toEqual(GREET_ITEM)
    expect(itemsOf(composed({ context: [{ type: 'tool', tool: sentimentAnalysis }] }))).toEqual(
      SENTIMENT_ITEM,
    )
  })

  it('may stand under a role', () => {
    const content = { type: 'tool' as const, tool: { greetUser } }
    expect(itemsOf(composed({ context: [{ role: 'user', content }] }))).toEqual(GREET_ITEM)
  })

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ['a schema that is no object', { a: { type: 'string' } }, /Tool "a" has type "string"/],
    ['no schema at all', { a: 'x' }, /Tool "a" is "x"/],
    ['neither type nor properties', { a: {} }, /Tool "a" has type nothing/],
    [
      'another name inside',
      { a: { type: 'object', properties: { _tool: { const: 'b' } } } },
      /calls itself "b"/,
    ],
    ['no name', { type: 'object', properties: {} }, /has no name/],
    ['an unknown name', 'Tool.gretUser', /No tool is registered as "gretUser"/],
    [
      'an activity that is no constant',
      { a: { type: 'object', properties: { _activity: { type: 'string' } } } },
      /_activity that is no constant/,
    ],
    [
      'a delegate that the model may choose',
      { a: { type: 'object', properties: { _delegate: { type: 'string' } } } },
      /_delegate that is no constant/,
    ],
    [
      'an activity and a named delegate',
      { a: { type: 'object', _activity: 'x', _delegate: 'y' } },
      /takes one of them/,
    ],
    [
      'an anonymous delegate without output',
      { a: { type: 'object', _delegate: 'anonymous' } },
      /says with no _output/,
    ],
    [
      'an output path without †',
      { a: { type: 'object', _outputPath: 'state.x' } },
      /starts with †/,
    ],
    [
      'an output path to a prototype',
      { a: { type: 'object', _outputPath: '†state.__proto__.x' } },
      /"__proto__" is not allowed/,
    ],
    [
      'an _output it requires and does not define',
      { a: { type: 'object', required: ['_output'] } },
      /requires "_output"/,
    ],
  ]
  it.each(bad)('is refused with %s', (_what, tool, message) => {
    const context = [{ type: 'tool', tool } as AgentMessage]
    expect(() => composed({ context })).toThrow(
      expect.objectContaining({ code: 'agent-tool', message: expect.stringMatching(message) }),
    )
  })

  it('takes a schema without type when it has properties', () => {
    const { type: _type, ...untyped } = greetUser
    expect(itemsOf(composed({ context: tools({ greetUser: untyped }) }))).toEqual(GREET_ITEM)
  })
})

describe('a context', () => {
  it.each([
    [{ type: 'dtaa', data: 1 }, /context\[0\] is of type "dtaa". Did you mean "data"/],
    [{ type: 'text' }, /of type text has no text/],
    [{ type: 'data', kind: 'a b', data: 1 }, /a kind is a word/],
    [{ type: 'state', _instance: '', x: 1 }, /_instance/],
    [{ role: 'nobody', content: 'x' }, /neither a type/],
    ['text', /context\[0\] is "text"/],
  ])('refuses %j', (message, problem) => {
    expect(() => composeSchema({ context: [message as AgentMessage] })).toThrow(problem)
  })
})

describe('composing again', () => {
  it('gives the same object for the same tools, output and registry', () => {
    const registry = withWeather()
    const options = { output: SUM, context: tools({ weatherCheck }), registry }
    const first = composeSchema(options)
    expect(
      composeSchema({ ...options, context: [...options.context, { type: 'text', text: 'x' }] }),
    ).toBe(first)
    registry.activity('other', () => 1)
    expect(composeSchema(options)).not.toBe(first)
    expect(composeSchema({ ...options, reasoning: 'optional' })).not.toBe(first)
  })
})

function itemsOf(schema: JsonSchema): unknown {
  return (schema.properties!.calls as JsonSchema).items
}
