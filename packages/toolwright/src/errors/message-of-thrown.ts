/** Words for anything a program may throw: errors, strings, null, proxies with throwing getters. Never throws. */
export function messageOfThrown(thrown: unknown): string {
  try {
    const { message = thrown } = Object(thrown) as { readonly message?: unknown }
    return typeof message === 'string' && message !== '' ? message : `threw ${String(thrown)}`
  } catch {
    return 'threw a value that cannot be read'
  }
}
