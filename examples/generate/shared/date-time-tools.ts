/** The `DateTimeTools` of the seeds: the signatures are the schemas. */
export class DateTimeTools {
  readonly alarms: Date[] = []

  /**
   * Get the current date and time in the user's timezone.
   * @tool
   * @readOnly
   */
  getCurrentDateTime(): Date {
    return new Date()
  }

  /**
   * Set a user alarm for the given time.
   * @tool
   * @param time When to ring
   */
  setAlarm(time: Date, label?: string): string {
    this.alarms.push(time)
    return `${label ?? 'Alarm'} set for ${time.toISOString()}`
  }
}
