/** Names of tools, checked by the compiler when the client's resolver is a typed registry. */
import {
  ChatClient,
  staticResolver,
  tool,
  toolRegistry,
  type ChatClientOptions,
  type ChatModel,
  type ChatRequest,
  type ToolCallbackResolver,
  type ToolRegistry,
} from 'toolwright'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

declare const model: ChatModel
declare const options: ChatClientOptions
declare const own: ToolCallbackResolver
const currentWeather = tool({ execute: () => 'sunny' })
const forecast = tool({ execute: () => 'rain' })

describe('the names of a registry', () => {
  const registry = toolRegistry({ currentWeather, forecast: () => forecast })
  const client = ChatClient.create(model, { resolver: registry, toolNames: ['forecast'] })

  it('are those of its first tools and of what is registered in a chain', () => {
    expectTypeOf(registry).toEqualTypeOf<ToolRegistry<'currentWeather' | 'forecast'>>()
    const more = registry.register('now', { execute: () => 'noon' })
    expectTypeOf(more).toEqualTypeOf<ToolRegistry<'currentWeather' | 'forecast' | 'now'>>()
  })

  it('are any without first tools', () => {
    expectTypeOf(toolRegistry()).toEqualTypeOf<ToolRegistry>()
    expectTypeOf(toolRegistry().register('a', forecast)).toEqualTypeOf<ToolRegistry>()
  })

  it('are the only ones a request takes', () => {
    client.prompt('go').toolNames('currentWeather', 'forecast').addToolNames('forecast')
    client.prompt('go').options({ toolNames: ['forecast'] })
    // @ts-expect-error there is no such tool
    client.prompt('go').toolNames('currentWether')
    // @ts-expect-error there is no such tool
    client.prompt('go').system('x').addToolNames('now')
    // @ts-expect-error there is no such tool
    client.prompt('go').options({ toolNames: ['now'] })
    // @ts-expect-error there is no such tool
    ChatClient.create(model, { resolver: registry, toolNames: ['now'] })
  })

  it('go with the client that with() makes, or change with its resolver', () => {
    expectTypeOf(client.with({ system: 'x' })).toEqualTypeOf<typeof client>()
    client.with({ toolNames: ['forecast'] })
    // @ts-expect-error there is no such tool
    client.with({ toolNames: ['now'] })
    const other = client.with({ resolver: toolRegistry({ now: currentWeather }) })
    expectTypeOf(other).toEqualTypeOf<ChatClient<'now'>>()
    expectTypeOf(client.with({ resolver: own })).toEqualTypeOf<ChatClient>()
    expectTypeOf(client.with(options)).toEqualTypeOf<ChatClient>()
  })

  it('do not stand in the way where any client is welcome', () => {
    expectTypeOf(client).toExtend<ChatClient>()
    expectTypeOf(client.prompt('go')).toExtend<ChatRequest>()
  })
})

describe('any other resolver', () => {
  it('takes plain strings', () => {
    const resolvers = [own, staticResolver([currentWeather]), toolRegistry()]
    for (const resolver of resolvers)
      ChatClient.create(model, { resolver }).prompt('go').toolNames('anything')
    const literal = { resolve: () => currentWeather, names: () => ['weather' as const] }
    ChatClient.create(model, { resolver: literal }).prompt('go').toolNames('anything')
    ChatClient.create(model).prompt('go').toolNames('anything')
    expectTypeOf(ChatClient.create(model)).toEqualTypeOf<ChatClient>()
  })
})

describe('a bare function', () => {
  it('gets what its schemas say', () => {
    toolRegistry().register('add', {
      description: 'Add two numbers',
      input: z.object({ a: z.number(), b: z.number().optional() }),
      context: z.object({ tenant: z.string() }),
      execute: (input, context) => {
        expectTypeOf(input).toEqualTypeOf<{ a: number; b?: number | undefined }>()
        expectTypeOf(context.values.tenant).toEqualTypeOf<string>()
        return input.a
      },
      resultConverter: (result) => {
        expectTypeOf(result).toEqualTypeOf<number>()
        return String(result)
      },
    })
  })

  it('has no name of its own, and must be there', () => {
    // @ts-expect-error the registry names it
    toolRegistry().register('add', { name: 'plus', execute: () => 1 })
    // @ts-expect-error there is nothing to run
    toolRegistry().register('add', { description: 'Add' })
    // @ts-expect-error a promise of a tool comes from a factory
    toolRegistry().register('add', Promise.resolve(forecast))
  })
})
