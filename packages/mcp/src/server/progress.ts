/** What a tool reports on its way, as progress notifications: each with a larger number than the one before. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** Returns the next notification for what the tool reported; undefined where it would not be larger. */
export function progressCounter(): (reported: unknown) => Progress | undefined {
  let last = -Infinity
  return (reported) => {
    const { progress, total, message } = readProgress(reported)
    const next = progress ?? Math.max(last, 0) + 1
    if (!(next > last)) return undefined
    last = next
    return {
      progress: next,
      ...(typeof total === 'number' && { total }),
      ...(message !== undefined && { message }),
    }
  }
}

interface Reported {
  readonly progress?: number
  readonly total?: unknown
  readonly message?: string
}

/** A number, `{ progress, total?, message? }`, or anything that can be said in words. */
function readProgress(reported: unknown): Reported {
  if (typeof reported === 'number') return { progress: reported }
  if (typeof reported === 'string') return { message: reported }
  const { progress, total, message } = Object(reported) as { readonly [key: string]: unknown }
  if (typeof progress === 'number')
    return { progress, total, ...(typeof message === 'string' && { message }) }
  return { message: inWords(reported) }
}

function inWords(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 1000)
  } catch {
    return 'working'
  }
}
