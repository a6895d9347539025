/** A foreign text, with what was searched for marked in it. */
import { LongText } from '../parts/long-text.tsx'
import { printable } from '../parts/printable.ts'
import { useContext } from 'preact/hooks'
import { createContext } from 'preact'
import { markedPieces } from './search-text.ts'

/** What is searched for; empty: nothing. */
export const WantedContext = createContext('')

export function Marked({ text }: { readonly text: string }) {
  const wanted = useContext(WantedContext)
  const pieces = markedPieces(printable(text), wanted)
  if (pieces.length === 1) return <LongText text={pieces[0]!} />
  return (
    <>
      {pieces.map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece))}
    </>
  )
}

/** Keeps its lines, and scrolls where the keyboard reaches it. */
export const MarkedBlock = ({ text }: { readonly text: string }) => (
  <pre class="trace-block" tabIndex={0}>
    <Marked text={text} />
  </pre>
)

/** A value as JSON; a text as it is. */
export const ValueBlock = ({ value }: { readonly value: unknown }) => (
  <MarkedBlock text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
)
