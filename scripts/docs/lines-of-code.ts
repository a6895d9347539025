/** How many lines of a program are code: neither blank nor only a comment. */
export function linesOfCode(text: string): number {
  const code = text.replace(/\/\*\*[^]*?\*\//g, '')
  return code.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'))
    .length
}
