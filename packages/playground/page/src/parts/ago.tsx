/** How long ago something was, which goes on while it is shown. */
import { useEffect, useState } from 'preact/hooks'

const MINUTE = 60_000

export function ago(at: number, now: number): string {
  const minutes = Math.floor(Math.max(0, now - at) / MINUTE)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)} h ago`
  return new Date(at).toLocaleDateString()
}

export function Ago({ at }: { readonly at: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 2)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
      {ago(at, now)}
    </time>
  )
}
