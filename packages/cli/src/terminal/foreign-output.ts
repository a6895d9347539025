/**
 * Captures what other code writes to the standard streams, e.g. a tool that logs. A `Screen` made before
 * keeps writing. Child processes that write to the terminal directly cannot be captured.
 */

export class ForeignOutput {
  readonly #streams: readonly NodeJS.WriteStream[]
  readonly #take: (text: string) => void
  #caught: readonly Undo[] = []

  constructor(streams: readonly NodeJS.WriteStream[], take: (text: string) => void) {
    this.#streams = streams
    this.#take = take
  }

  catch(): void {
    if (this.#caught.length > 0) return
    this.#caught = this.#streams.map((stream) => replaceWrite(stream, this.#take))
  }

  release(): void {
    for (const undo of this.#caught) undo()
    this.#caught = []
  }
}

type Undo = () => void

function replaceWrite(stream: NodeJS.WriteStream, take: (text: string) => void): Undo {
  const original = Object.getOwnPropertyDescriptor(stream, 'write')
  stream.write = (chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
    take(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
    const done = rest.find((each) => typeof each === 'function') as (() => void) | undefined
    if (done) queueMicrotask(done)
    return true
  }
  return () => {
    if (original) Object.defineProperty(stream, 'write', original)
    else Reflect.deleteProperty(stream, 'write')
  }
}
