/**
 * What a reader sees as one character each. The engine's segmenter takes ever longer the longer its text is, so
 * it is given slices; the last character of a slice may go on in the next.
 */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const SLICE = 256

export function* graphemesOf(text: string): Generator<string, void> {
  let open = ''
  for (let start = 0; start < text.length; start += SLICE) {
    const segments = Array.from(
      segmenter.segment(open + text.slice(start, start + SLICE)),
      ({ segment }) => segment,
    )
    open = start + SLICE < text.length ? segments.pop()! : ''
    yield* segments
    if (open.length <= SLICE) continue
    // Endless marks on one letter are no character any more.
    yield open
    open = ''
  }
}
