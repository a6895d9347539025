/** A message exactly as a model got or gave it, part by part. Fields that are not known here are shown as JSON. */
import type { ShownPart } from '../../../src/protocol/shown-content.ts'
import { ContentView } from '../parts/content-view.tsx'
import { printable } from '../parts/printable.ts'
import { memo } from '../parts/memo.ts'
import { MarkedBlock, ValueBlock } from './marked.tsx'

/** It comes from a file: any field may be anything. */
export interface Loose {
  readonly [name: string]: unknown
}

export const ModelMessage = memo(function ModelMessage({ message }: { readonly message: Loose }) {
  const { role, content, responses, ...more } = message
  return (
    <li class={`model-message of-${role === 'user' || role === 'assistant' ? role : 'other'}`}>
      <div class="model-role">{typeof role === 'string' ? printable(role) : 'message'}</div>
      <Content content={content} />
      {looseList(responses).map((response, index) => (
        <Response key={index} response={response} />
      ))}
      <More more={more} />
    </li>
  )
})

function Content({ content }: { readonly content: unknown }) {
  if (content === undefined) return null
  if (!Array.isArray(content)) return <ValueBlock value={content} />
  return (
    <>
      {content.map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </>
  )
}

function Part({ part }: { readonly part: unknown }) {
  if (!isLoose(part)) return <ValueBlock value={part} />
  const { type, text, name, id, arguments: given, mediaType, data, url, kind, ...more } = part
  switch (type) {
    case 'text':
      return (
        <>
          <ValueBlock value={text} />
          <More more={more} />
        </>
      )
    case 'reasoning':
      return <Named what="reasoning" value={text} more={more} />
    case 'tool-call':
      return (
        <Named what={`calls ${word(name)} (${word(id)})`} value={indented(given)} more={more} />
      )
    case 'provider':
      return <Named what={`provider: ${word(kind)}`} value={data ?? null} more={more} />
    default:
      return typeof mediaType === 'string' ? (
        <Media part={{ type: 'media', mediaType, ...texts({ data, url, name }) }} more={more} />
      ) : (
        <ValueBlock value={part} />
      )
  }
}

interface NamedProps {
  readonly what: string
  readonly value: unknown
  readonly more: Loose
}

const Named = ({ what, value, more }: NamedProps) => (
  <>
    <div class="model-what">{printable(what)}</div>
    <ValueBlock value={value ?? ''} />
    <More more={more} />
  </>
)

const Media = ({ part, more }: { readonly part: ShownPart; readonly more: Loose }) => (
  <>
    <ContentView content={{ parts: [part] }} />
    <More more={more} />
  </>
)

function Response({ response }: { readonly response: Loose }) {
  const { id, name, content, isError, ...more } = response
  return (
    <>
      <div class={`model-what ${isError === true ? 'is-bad' : ''}`}>
        {printable(`result of ${word(name)} (${word(id)})${isError === true ? ', an error' : ''}`)}
      </div>
      <Content content={content} />
      <More more={more} />
    </>
  )
}

const More = ({ more }: { readonly more: Loose }) =>
  Object.keys(more).length === 0 ? null : (
    <details class="model-more">
      <summary class="quiet">{`also ${printable(Object.keys(more).join(', '))}`}</summary>
      <MarkedBlock text={JSON.stringify(more, null, 2)} />
    </details>
  )

export const isLoose = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const looseList = (value: unknown): readonly Loose[] =>
  Array.isArray(value) ? value.filter(isLoose) : []

const word = (value: unknown): string => (typeof value === 'string' ? value : '?')

const texts = (fields: Loose): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  )

/** Arguments are JSON that a model wrote: what is none is shown as it is. */
function indented(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}
