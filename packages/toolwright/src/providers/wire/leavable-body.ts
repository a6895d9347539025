/** A body that may be left while it is waited for. A generator alone would make its reader wait for the next piece before it can leave. */
const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

/** @param close ends what the generator waits for, at once */
export function leavableBody(
  pieces: AsyncGenerator<Uint8Array, void>,
  close: () => unknown,
): AsyncIterableIterator<Uint8Array, undefined> {
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => pieces.next() as Promise<IteratorResult<Uint8Array, undefined>>,
    return() {
      close()
      pieces.return().catch(() => {})
      return Promise.resolve(DONE)
    },
  }
}
