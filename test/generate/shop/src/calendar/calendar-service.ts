/** How often something comes again. */
export type Recurrence =
  | { kind: 'daily'; every: number }
  | { kind: 'weekly'; days: Weekday[]; until: Date }
  | { kind: 'dates'; dates: Set<Date> }

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri'

interface Span {
  start: Date
  /** Not before the start */
  end: Date
}

export interface Appointment extends Span {
  title: string
  attendees: Set<string>
  recurrence?: Recurrence
}

export class CalendarService {
  /**
   * Put an appointment into the calendar.
   * @tool
   * @param appointment All of it
   */
  schedule(appointment: Appointment): string {
    const minutes = (appointment.end.getTime() - appointment.start.getTime()) / 60_000
    const who = [...appointment.attendees].sort().join(', ')
    return `${appointment.title}: ${minutes} minutes with ${who}${again(appointment.recurrence)}`
  }

  /**
   * Find a time when everybody is free.
   * @tool
   * @readOnly
   * @param within Between these
   * @param minutes How long
   * @param who Whose calendars to look at
   */
  findFreeTime(within: Span, minutes: number, ...who: string[]): Span & { for: string[] } {
    const end = new Date(within.start.getTime() + minutes * 60_000)
    return { start: within.start, end, for: who }
  }
}

function again(recurrence: Recurrence | undefined): string {
  if (recurrence === undefined) return ''
  if (recurrence.kind === 'daily') return `, every ${recurrence.every} days`
  if (recurrence.kind === 'weekly')
    return `, on ${recurrence.days.join(' and ')} until ${recurrence.until.getUTCFullYear()}`
  return `, on ${[...recurrence.dates].map((date) => date.getUTCDate()).join(' and ')}`
}
