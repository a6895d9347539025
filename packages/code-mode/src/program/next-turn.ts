/** Lets everything else in the process have its turn. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    // There is no other way in browsers, where a sandbox of one's own may run programs.
    if (typeof setImmediate === 'undefined') setTimeout(resolve)
    else setImmediate(resolve)
  })
