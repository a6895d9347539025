/** A place where a tool waits until the test lets it go on. */
export interface Gate {
  /** Resolves when somebody waits. */
  readonly reached: Promise<void>
  wait(): Promise<void>
  open(): void
}

export function gate(): Gate {
  let tell!: () => void
  let open!: () => void
  const reached = new Promise<void>((resolve) => (tell = resolve))
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { reached, open, wait: () => (tell(), opened) }
}
