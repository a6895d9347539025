/**
 * SSE as one writes it by hand in a loop: decode, split into lines, take what follows `data: `. Enough
 * for a well-behaved server and nothing more, which is the point of comparing with it.
 */
export async function readSse(
  body: AsyncIterable<Uint8Array>,
  onData: (data: string) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) onData(line.slice(6))
  }
}
