/**
 * The tools of the quick start, in a file that the command can load: `npm start` chats with them, and
 * `npx toolwright tools examples/command/date-time-tools.ts` lists them.
 */
import { Tool } from 'toolwright'
import { z } from 'zod'

export class DateTimeTools {
  @Tool({ description: 'Get the current date and time', hints: { readOnly: true } })
  getCurrentDateTime(): string {
    return new Date().toISOString()
  }

  @Tool({
    description: 'Set a user alarm for the given time',
    input: z.object({ time: z.iso.datetime().describe('Time in ISO-8601 format') }),
  })
  setAlarm({ time }: { time: string }): string {
    return `Alarm set for ${time}`
  }
}
