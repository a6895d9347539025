/** Work that is done again and again, with a pause after each time. */
export interface Repeated {
  /** No more after this; resolves when the work that is under way has ended. */
  end(): Promise<void>
}

/** `work` must not reject. */
export function repeat(pauseMs: number, work: () => Promise<void>): Repeated {
  let isEnded = false
  let timer: NodeJS.Timeout | undefined
  let underWay = Promise.resolve()
  const next = (): void => {
    timer = setTimeout(() => {
      underWay = work().finally(() => {
        if (!isEnded) next()
      })
    }, pauseMs)
  }
  next()
  return {
    end() {
      isEnded = true
      clearTimeout(timer)
      return underWay
    },
  }
}
