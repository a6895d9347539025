/** The first sentence of a tool's description, cut at a word. */
const LONGEST = 160

export function summaryOf(description: string): string {
  const line = description.trim().replace(/\s+/g, ' ')
  const sentence = /^.*?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line
  if (sentence.length <= LONGEST) return sentence
  const cut = sentence.slice(0, LONGEST)
  const atWord = cut.lastIndexOf(' ')
  return `${(atWord > LONGEST / 2 ? cut.slice(0, atWord) : cut).toWellFormed()}…`
}
