/** The weather service of the seeds: a plain function, its request as a schema. */
import { z } from 'zod'

export const weatherRequest = z.object({
  location: z.string().describe('The name of a city or a country'),
  unit: z.enum(['C', 'F']),
})

export const weatherIn = ({ unit }: z.infer<typeof weatherRequest>) => ({
  temp: unit === 'C' ? 30 : 86,
  unit,
})

/** What a model asks when it wants the weather in Copenhagen. */
export const askForWeather = {
  toolCalls: [{ name: 'currentWeather', arguments: { location: 'Copenhagen', unit: 'C' } }],
}
