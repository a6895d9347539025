/** The tool and the question of every example here. */
import { tool } from 'toolwright'
import { z } from 'zod'

export const question = 'How warm is it in Paris? Use the tool, and answer in one sentence.'

export const weather = tool({
  name: 'currentWeather',
  description: 'Get the current temperature of a city, in °C',
  input: z.object({ city: z.string().describe('The name of a city') }),
  execute: ({ city }) => ({ city, temperature: 21 }),
})
