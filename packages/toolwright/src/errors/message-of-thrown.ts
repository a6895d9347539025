/** Words for anything a program may throw: errors, strings, null, proxies with throwing getters. Never throws. */
export function messageOfThrown(thrown: unknown): string {
  try {
    if (typeof thrown === 'string' && thrown !== '') return thrown
    if (
      thrown instanceof Error ||
      (typeof thrown === 'object' && thrown !== null && 'message' in thrown)
    ) {
      const { message } = thrown as { message: unknown }
      if (typeof message === 'string' && message !== '') return message
      return `${(thrown as { name?: unknown }).name ?? 'Error'} without a message`
    }
    return `threw ${String(thrown)}`
  } catch {
    return 'threw a value that cannot be read'
  }
}
