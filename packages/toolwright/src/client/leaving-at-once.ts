/**
 * A generator that is waiting hears of `return` only when its wait is over, and a silent model may never
 * end it. This one tells `leave` at once.
 */
export function leavingAtOnce<T>(
  generator: AsyncGenerator<T, void>,
  leave: () => void,
): AsyncGenerator<T, void> {
  const end = generator.return.bind(generator)
  return Object.assign(generator, {
    return() {
      leave()
      return end()
    },
  })
}
