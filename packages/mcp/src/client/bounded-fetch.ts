/**
 * A fetch whose answers are bounded: a server that sends without end costs a failed call, not the program's memory.
 * An event stream is counted while it passes. Any other answer is read whole, because the SDK reads it whole anyway and
 * a stream in between would cost more than the rest of the call.
 */
import { LARGEST_MESSAGE } from './line-reader.ts'

export const boundedFetch =
  (inner: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await inner(input, init)
    const { body } = response
    if (!body || response.status < 200 || isShort(response)) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    return answerLike(response, isStream ? counted(body) : await readWhole(body))
  }

/** The runtime holds a server to the length that it announced. Of a compressed answer the length says nothing. */
function isShort({ headers }: Response): boolean {
  const length = headers.get('content-length')
  return length !== null && Number(length) <= LARGEST_MESSAGE && !headers.has('content-encoding')
}

function answerLike(
  response: Response,
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
): Response {
  const { status, statusText, headers } = response
  // The SDK reads where the answer came from, which a constructed answer does not say.
  return Object.defineProperties(new Response(body, { status, statusText, headers }), {
    url: { value: response.url },
    redirected: { value: response.redirected },
    type: { value: response.type },
  })
}

async function readWhole(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length
    if (length > LARGEST_MESSAGE) throw givenUp(reader)
    chunks.push(read.value)
  }
  return joined(chunks, length)
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** The bytes of each event count, not those of the stream, which may stay open for days. */
function counted(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const count = eventCounter()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else if (count(value) > LARGEST_MESSAGE) throw givenUp(reader)
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Gives how many bytes the event that is being read has so far. */
function eventCounter(): (chunk: Uint8Array) => number {
  let bytes = 0
  let lineBytes = 0
  return (chunk) => {
    bytes += chunk.length
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      // An empty line, but for a carriage return, ends an event.
      if (lineBytes + at - from <= 1) bytes = chunk.length - at - 1
      lineBytes = 0
      from = at + 1
    }
    lineBytes += chunk.length - from
    return bytes
  }
}

function givenUp(reader: ReadableStreamDefaultReader<Uint8Array>): RangeError {
  // The connection is closed; what its closing says is of no use to the call that failed.
  reader.cancel().catch(() => {})
  return new RangeError(`The answer has more than ${LARGEST_MESSAGE} bytes.`)
}

const NEWLINE = 10
