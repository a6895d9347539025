// Written by `toolwright generate` from weather-service.ts. Change that file and run it again.
import { tool, type ToolCallback } from 'toolwright'
import { currentWeather } from './weather-service.ts'
import type { WeatherRequest } from './weather-service.ts'

export const currentWeatherTool: ToolCallback = tool({
  name: 'currentWeather',
  description: 'Get the weather in location.',
  input: {
    type: 'object',
    properties: {
      request: {
        type: 'object',
        properties: {
          location: { type: 'string', description: 'The city and country' },
          unit: { type: 'string', enum: ['C', 'F'], description: 'Unit of the temperature' },
        },
        required: ['location', 'unit'],
        additionalProperties: false,
      },
    },
    required: ['request'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { temp: { type: 'number' }, unit: { type: 'string', enum: ['C', 'F'] } },
    required: ['temp', 'unit'],
  },
  hints: { readOnly: true },
  execute: ({ request }) => currentWeather(request),
})

type Same<Now, Then> = [Now, Then] extends [Then, Now] ? true : 'changed: run toolwright generate'

type Keys<Type> = `${Exclude<keyof Type, symbol>}`

type AllTrue<Checks extends readonly true[]> = Checks

/** Does not compile once the source has other parameters or properties: generate again. */
export type WeatherServiceUnchanged = AllTrue<
  [
    Same<Parameters<typeof currentWeather>['length'], 1>,
    Same<Keys<WeatherRequest>, 'location' | 'unit'>,
  ]
>
