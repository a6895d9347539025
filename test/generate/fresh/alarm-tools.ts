import type { Alarm } from './alarm__EXT__'

export class AlarmTools {
  readonly alarms: Alarm[] = []

  /**
   * Set a user alarm for the given time.
   * @tool
   * @param time When to ring
   * @param days On which days it rings again
   */
  setAlarm(time: Date, days: Set<number> = new Set(), label?: string): Alarm {
    const alarm = { time, days, label: label ?? 'Alarm' }
    this.alarms.push(alarm)
    return alarm
  }

  /**
   * Move some alarms.
   * @tool
   * @param alarms As they should be
   */
  replaceAlarms(alarms: Alarm[]): number {
    this.alarms.splice(0, Infinity, ...alarms)
    return alarms.reduce((hours, alarm) => hours + alarm.time.getUTCHours(), 0)
  }
}

/**
 * Add two durations.
 * @tool
 */
export function addMinutes(first: number, second: number): number {
  return first + second
}
