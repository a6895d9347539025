/**
 * The `DateTimeTools` of the seeds, on a clock that stands still, so that every run is the same.
 */
import { Tool, type Clock, type ToolContext } from 'toolwright'
import { manualClock } from 'toolwright/testing'
import { z } from 'zod'

/** A Tuesday morning; in Tokyo it is afternoon already. */
export const clock: Clock = manualClock(Date.parse('2015-10-20T07:28:00Z'))

export const inTimeZone = (timeZone: string): string =>
  `${new Date(clock.now()).toLocaleString('sv-SE', { timeZone })} ${timeZone}`

export class DateTimeTools {
  readonly alarms: string[] = []

  @Tool({ description: "Get the current date and time in the user's timezone", input: 'none' })
  getCurrentDateTime(_input: object, context: ToolContext): string {
    return inTimeZone(String(context.get('timeZone') ?? 'UTC'))
  }

  @Tool({
    description: 'Set a user alarm for the given time',
    input: z.object({ time: z.iso.datetime().describe('Time in ISO-8601 format') }),
  })
  setAlarm({ time }: { time: string }): void {
    this.alarms.push(time)
  }
}
