/** Gives a file to the browser to save. */
export function saveFile(name: string, content: Blob | string): void {
  const blob = typeof content === 'string' ? new Blob([content]) : content
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
