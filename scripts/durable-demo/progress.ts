/** One line that changes, on a terminal; lines of their own, and few, on a pipe. */
const CLEAR_LINE = '\r\u001b[2K'
const PIPE_EVERY_MS = 1_000

export interface Progress {
  /** What is going on now; nothing any more, if it is empty. */
  show(line: string): void
  /** What stays. */
  say(line: string): void
}

export function progressOn(output: NodeJS.WriteStream): Progress {
  let shown = ''
  let at = -Infinity
  const { isTTY } = output
  return {
    show(line) {
      if (line === shown) return
      if (isTTY) output.write(`${CLEAR_LINE}${line}`)
      else if (line === '' || performance.now() - at < PIPE_EVERY_MS) return
      else output.write(`${line}\n`)
      shown = line
      at = performance.now()
    },
    say(line) {
      output.write(isTTY ? `${CLEAR_LINE}${line}\n` : `${line}\n`)
      if (isTTY && shown) output.write(shown)
    },
  }
}
