/** Tools to search among: a handful of telling ones, and as many others as a test wants. */
import { tool, type Prompt, type ToolCallback } from 'toolwright'

const said = (name: string, description: string): ToolCallback =>
  tool({
    name,
    description,
    input: { type: 'object', properties: { city: { type: 'string' } } },
    execute: ({ city }) => `${name} of ${city ?? 'nowhere'}`,
  })

export const weather = said('getCurrentWeather', 'Current weather of a city')
export const forecast = said('getForecast', 'Weather forecast for the next days')
export const email = said('sendEmail', 'Send an email to somebody')
export const invoice = said('createInvoice', 'Create an invoice for a customer')
export const alarm = said('setAlarm', 'Set an alarm clock')

export const FEW: readonly ToolCallback[] = [weather, forecast, email, invoice, alarm]

/** What the model was offered in each round. */
export const offered = (prompts: readonly Prompt[]): readonly (readonly string[])[] =>
  prompts.map(({ options }) =>
    ((options?.tools ?? []) as readonly ToolCallback[]).map(({ definition }) => definition.name),
  )

/** A scripted search. */
export const searching = (...queries: readonly string[]) => ({
  name: 'toolSearchTool',
  arguments: { queries },
})
