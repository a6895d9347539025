/** When the steps of a measured batch happened: from the first to the last, so that starting and ending a run count not. */
export interface StepTimes {
  mark(): void
  /** The time of every step but the first, and forgets them. */
  take(): StepBatch
}

export interface StepBatch {
  readonly steps: number
  readonly ms: number
}

export function stepTimes(): StepTimes {
  let [marks, first, last] = [0, 0, 0]
  return {
    mark() {
      last = performance.now()
      if (marks++ === 0) first = last
    },
    take() {
      const batch = { steps: marks - 1, ms: last - first }
      marks = 0
      return batch
    },
  }
}
