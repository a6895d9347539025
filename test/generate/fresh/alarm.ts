export interface Alarm {
  /** When it rings */
  time: Date
  /** 1 is Monday */
  days: Set<number>
  label: string
}
