/** Tools of methods without decorators: `defineTools()`, `methodTool()`, and reading tools off objects. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  defineTools,
  definitionOf,
  methodTool,
  tool,
  Tool,
  toolsOf,
  type ToolContext,
  type ToolSource,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { scenario, toldByTools } from './scenario.ts'

const CITY = z.object({ city: z.string().describe('Where') })

class Weather {
  static tools = defineTools<Weather>({
    forecast: { description: 'Forecast for a city', input: CITY },
    stationName: {},
  })
  protected station = 'Aarhus'

  forecast({ city }: { city: string }, context: ToolContext): string {
    return `${city} from ${this.station}, asked by ${context.toolName}`
  }
  stationName(): string {
    return this.station
  }
  static open(): string {
    return 'open'
  }
  static readonly country = 'Denmark'
  static whereabouts(): string {
    return this.country
  }
}

class DanishWeather extends Weather {
  static override tools = defineTools<DanishWeather>({
    stationName: { name: 'station', description: 'Which station' },
    wind: {},
  })
  override forecast({ city }: { city: string }): string {
    return `Rain in ${city}`
  }
  wind(): string {
    return 'strong'
  }
}

const namesOf = (source: ToolSource): readonly string[] =>
  toolsOf(source).map(({ definition }) => definition.name)

describe('static tools = defineTools()', () => {
  scenario('makes the named methods tools of an instance', {
    script: [
      {
        toolCalls: [{ name: 'forecast', arguments: { city: 'Odense' } }, { name: 'stationName' }],
      },
      'Rain.',
    ],
    tools: () => [new Weather()],
    check({ prompts }) {
      expect(toldByTools(prompts[1])).toEqual([
        { content: 'Odense from Aarhus, asked by forecast' },
        { content: 'Aarhus' },
      ])
    },
  })

  it('describes them as @Tool() would', () => {
    expect(toolsOf(new Weather()).map(({ definition }) => definition)).toEqual([
      {
        name: 'forecast',
        description: 'Forecast for a city',
        inputSchema: {
          type: 'object',
          properties: { city: { type: 'string', description: 'Where' } },
          required: ['city'],
          additionalProperties: false,
        },
      },
      {
        name: 'stationName',
        description: 'station name',
        inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      },
    ])
  })

  it('is inherited, added to, replaced and overridden', async () => {
    expect(namesOf(new DanishWeather())).toEqual(['forecast', 'station', 'wind'])
    const [forecast] = toolsOf(new DanishWeather())
    expect(await forecast!.call('{"city":"Odense"}')).toBe('Rain in Odense')
    expect(namesOf(new Weather())).toEqual(['forecast', 'stationName'])
  })

  it('goes together with @Tool()', () => {
    class Both {
      static tools = defineTools<Both>({ one: {} })
      one(): void {}
      @Tool()
      two(): void {}
      @Tool()
      static three(): void {}
    }
    expect(namesOf(new Both())).toEqual(['two', 'one', 'three'])
    expect(namesOf(Both)).toEqual(['three'])
  })

  it('is refused for a class, which has no instance to call', () => {
    expect(() => toolsOf(Weather)).toThrow('Weather has no static tools: pass an instance of it.')
  })

  it('refuses methods that are not there, with the nearest names', () => {
    class Misspelt {
      static tools = defineTools<any>({ forcast: {} })
      forecast(): void {}
    }
    expect(() => toolsOf(new Misspelt())).toThrow(
      'There is no method "forcast" on this Misspelt. Did you mean "forecast"?',
    )
  })

  it('refuses wrong options where the class is defined', () => {
    expect(() => defineTools<Weather>({})).toThrow('defineTools() names no method.')
    expect(() => defineTools(undefined as never)).toThrow('takes an object')
    expect(() => defineTools<any>({ wind: { descripton: 'x' } as never })).toThrow(
      'wind of defineTools() has no option "descripton". Did you mean "description"',
    )
    expect(() => defineTools<any>({ wind: { timeoutMs: 0 } })).toThrow('timeoutMs is 0')
  })
})

describe('methodTool()', () => {
  scenario('makes a tool of a method and its object', {
    script: [{ toolCalls: [{ name: 'forecast', arguments: { city: 'Odense' } }] }, 'Rain.'],
    tools: () => [
      methodTool({
        object: new Weather(),
        method: 'forecast',
        description: 'Forecast',
        input: CITY,
        returnDirect: false,
        resultConverter: (result) => result.toUpperCase(),
      }),
    ],
    check({ prompts }) {
      expect(toldByTools(prompts[1])).toEqual([
        { content: 'ODENSE FROM AARHUS, ASKED BY FORECAST' },
      ])
    },
  })

  it('needs no instance for a static method, only the class', async () => {
    const open = methodTool({ object: Weather, method: 'open', name: 'isOpen' })
    expect(open.definition.name).toBe('isOpen')
    expect(await open.call('{}')).toBe('open')
    const whereabouts = methodTool({ object: Weather, method: 'whereabouts' })
    expect(await whereabouts.call('{}')).toBe('Denmark')
  })

  it('takes the function itself, called on the object if there is one', async () => {
    const weather = new Weather()
    const name = methodTool({ object: weather, method: weather.stationName })
    expect([name.definition.name, await name.call('{}')]).toEqual(['stationName', 'Aarhus'])
    const free = methodTool({ method: Weather.open })
    expect([free.definition.name, await free.call('{}')]).toEqual(['open', 'open'])
    const stationName = weather.stationName.bind(weather)
    const bound = methodTool({ method: stationName })
    expect([bound.definition.name, await bound.call('{}')]).toEqual(['stationName', 'Aarhus'])
  })

  it('calls what the object has when it is called', async () => {
    const weather = new Weather()
    const name = methodTool({ object: weather, method: 'stationName' })
    weather.stationName = () => 'replaced'
    expect(await name.call('{}')).toBe('replaced')
  })

  it('shows an explicit inputSchema word for word, and checks against it', async () => {
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { city: { type: 'string', minLength: 3 } },
      required: ['city'],
    } as const
    const forecast = methodTool({ object: new Weather(), method: 'forecast', inputSchema })
    expect(forecast.definition.inputSchema).toBe(inputSchema)
    await expect(forecast.call('{"city":"X"}')).rejects.toThrow('$.city')
    expect(await forecast.call('{"city":"Odense","open":1}')).toContain('Odense')
  })

  it('checks against input where both are given', async () => {
    const inputSchema = { type: 'object' } as const
    const forecast = methodTool({
      object: new Weather(),
      method: 'forecast',
      input: CITY,
      inputSchema,
    })
    expect(forecast.definition.inputSchema).toBe(inputSchema)
    await expect(forecast.call('{"city":1}')).rejects.toThrow('$.city')
  })

  it('refuses a method without its object, and one that is not there', () => {
    const make = (options: object) => () => methodTool(options as never)
    expect(make({ method: 'forecast' })).toThrow(
      'methodTool() needs the object that has "forecast": an instance, or the class of a static method.',
    )
    expect(make({ object: Weather, method: 'forecast' })).toThrow(
      '"forecast" is no static method of Weather: pass an instance of it.',
    )
    expect(make({ object: new Weather(), method: 'forcast' })).toThrow(
      'There is no method "forcast" on this Weather. Did you mean "forecast"?',
    )
    expect(make({ object: new Weather() })).toThrow('methodTool() needs a method')
    expect(make({ method: [() => 1][0] })).toThrow('methodTool() needs a method, or a name')
    expect(make({ method: Weather.open, inputSchema: '{}' })).toThrow('with type: "object"')
    expect(make({ method: Weather.open, descripton: '' })).toThrow(
      'methodTool() has no option "descripton". Did you mean "description"',
    )
  })
})

describe('toolsOf()', () => {
  const now = tool({ name: 'now', execute: () => 'noon' })
  const later = tool({ execute: () => 'evening' })

  it('gives the callbacks of instances, classes, records, callbacks and arrays at once', () => {
    const weather = new Weather()
    expect(namesOf([weather, now, [{ later }]])).toEqual([
      'forecast',
      'stationName',
      'now',
      'later',
    ])
    expect(toolsOf(weather)[0]).toBe(toolsOf(weather)[0])
    expect(toolsOf(now)).toEqual([now])
  })

  it('refuses a provider, which may need time', () => {
    expect(() => toolsOf({ toolCallbacks: () => [now] })).toThrow(
      'toolsOf() cannot wait for a provider: pass it to .tools().',
    )
  })

  it('refuses two tools of one name, and what has no tools', () => {
    expect(() => toolsOf([now, { now }])).toThrow('Two tools are called "now".')
    expect(() => toolsOf(new Date(0))).toThrow('There are no tools in this Date.')
  })
})

describe('definitionOf()', () => {
  class Vault {
    @Tool({ name: 'open_vault', description: 'Open it' })
    #open(): void {}
    @Tool()
    static find(): void {}
    used(): unknown {
      return this.#open
    }
  }

  it('gives what the model is told about one method', async () => {
    const weather = new Weather()
    const model = scriptedModel(['Done.'])
    await ChatClient.create(model).prompt('Go').tools(weather).call().content()
    const [offered] = model.prompts[0]!.options!.tools as ReturnType<typeof toolsOf>
    expect(definitionOf(weather, 'forecast')).toBe(offered!.definition)
    expect(definitionOf(new Vault(), '#open').name).toBe('open_vault')
    expect(definitionOf(Vault, 'find').name).toBe('find')
  })

  it('gives what a method that is no tool would be', () => {
    class Plain {
      openTheVault(): string {
        return 'open'
      }
      close(_input: { gently: boolean }): void {}
      static find(): void {}
    }
    const inputSchema = { type: 'object', properties: {}, additionalProperties: false }
    const definition = { name: 'openTheVault', description: 'open the vault', inputSchema }
    expect(definitionOf(new Plain(), 'openTheVault')).toEqual(definition)
    expect(definitionOf(Plain, 'find').description).toBe('find')
    expect(definitionOf({ now: () => 1 }, 'now').name).toBe('now')
    expect(() => definitionOf(new Plain(), 'close')).toThrow(
      /takes parameters.*toolwright generate/,
    )
  })

  it('names the nearest methods on a typo', () => {
    expect(() => definitionOf(new Weather(), 'forcast' as never)).toThrow(
      'There is no method "forcast" on this Weather. Did you mean "forecast"?',
    )
    expect(() => definitionOf(new Vault(), '#opn')).toThrow('pass the instance itself')
  })
})
