import { Tool, type ToolContext } from 'toolwright'

/** Decorated, without a schema: the options of the decorator, the parameters of the signature. */
export class ForecastService {
  @Tool({ description: 'The weather of a day to come.', hints: { readOnly: true } })
  forecast(place: string, day: Date, context: ToolContext, days = 1): string {
    return `${context.toolName}: ${days} days in ${place} from ${day.getUTCDate()}`
  }
}
