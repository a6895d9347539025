/** Where the JSON string that starts at `start` ends: its closing quote, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === 0x5c) before--
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}
