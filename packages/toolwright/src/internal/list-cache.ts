/**
 * Remembers what was made of a list, for as long as the list lives. It is readonly to us, but its owner may still
 * push to it: a list that has grown is made anew.
 */
export function listCache<Item, Made>(
  make: (items: readonly Item[]) => Made,
): (items: readonly Item[]) => Made {
  const known = new WeakMap<readonly Item[], { readonly length: number; readonly made: Made }>()
  return (items) => {
    const before = known.get(items)
    if (before?.length === items.length) return before.made
    const made = make(items)
    known.set(items, { length: items.length, made })
    return made
  }
}
