/** The beans of the seeds' `WeatherTools` configuration, by name. */
import { toolRegistry } from 'toolwright'
import { weatherIn, weatherRequest } from './weather.ts'

export const weatherRegistry = () => {
  const registry = toolRegistry()
  registry.register('currentWeather', {
    description: 'Get the weather in location',
    input: weatherRequest,
    execute: weatherIn,
  })
  registry.register('lunch', { description: 'What is for lunch', execute: () => 'Soup' })
  return registry
}
