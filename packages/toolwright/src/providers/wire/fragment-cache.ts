/**
 * Remembers what an immutable value looks like on the wire. A request body is then put together from
 * strings: a message or a tool is serialised once, not once per round.
 */
export function fragmentCache<T extends object>(
  toFragment: (value: T) => string,
): (value: T) => string {
  const known = new WeakMap<T, string>()
  return (value) => {
    const fragment = known.get(value)
    if (fragment !== undefined) return fragment
    const made = toFragment(value)
    known.set(value, made)
    return made
  }
}
