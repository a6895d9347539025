/** Where running streams are kept, so that a browser that lost its connection gets one again from its first piece. */

export interface StreamStore {
  /** Begins to keep a stream. One that is kept under this key is forgotten. */
  begin(key: string): KeptStream
  /** The text of a stream from its beginning to its end, as it comes; nothing if none runs under this key. */
  read(key: string): AsyncIterable<string> | undefined | Promise<AsyncIterable<string> | undefined>
}

/** A stream that is being kept. */
export interface KeptStream {
  write(text: string): void | Promise<void>
  /** It runs no more: from now on there is nothing to come back to, the conversation itself has it. */
  end(): void | Promise<void>
}
