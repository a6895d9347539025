/** Cuts `text` into pieces of `length` characters, the last one shorter. */
export function pieces(text: string, length: number): string[] {
  const cut: string[] = []
  for (let start = 0; start < text.length; start += length)
    cut.push(text.slice(start, start + length))
  return cut
}
