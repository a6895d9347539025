/** Messages as the model got them, part by part, as text. Fields that are not known here are shown as JSON. */
import type { Json, JsonObject } from 'toolwright'
import { count } from '../trace-words.ts'
import { html, type Html } from './html.ts'

/** `id`: so that it can be shown again. */
export function messageView(message: JsonObject, id?: string): Html {
  const { role, content, responses, ...more } = message
  return html`<div class="message" ${id === undefined ? undefined : html`id="${id}"`}>
    <div class="role">${typeof role === 'string' ? role : 'message'}</div>
    ${contentBlocks(content)} ${list(responses).map(responseBlock)} ${moreBlock(more)}
  </div>`
}

/** The generations of an answer. */
export const answerView = (answer: Json): readonly Html[] =>
  list(answer).map(({ message }) =>
    messageView(isObject(message) ? message : { role: 'assistant' }),
  )

/** A value that a tool took, gave or reported. */
export const valueView = (what: string, value: Json | undefined): Html | undefined =>
  value === undefined ? undefined : block(what, typeof value === 'string' ? value : pretty(value))

function contentBlocks(content: Json | undefined): readonly Html[] {
  if (content === undefined) return []
  return Array.isArray(content) ? content.map(partBlock) : [block('', textOf(content))]
}

function partBlock(part: Json): Html {
  if (!isObject(part)) return block('', textOf(part))
  const { type, text, name, id, arguments: given, mediaType, data, kind, ...more } = part
  const rest = moreBlock({ ...more, ...(type !== 'provider' && kind !== undefined && { kind }) })
  switch (type) {
    case 'text':
      return html`${block('', textOf(text))}${rest}`
    case 'reasoning':
      return html`${block('reasoning', textOf(text))}${rest}`
    case 'tool-call':
      return html`${block(`calls ${textOf(name)} (${textOf(id)})`, textOf(given))}${rest}`
    case 'provider':
      return html`${block(`provider: ${textOf(kind)}`, pretty(data ?? null))}${rest}`
    default:
      return html`${block(
        [type, mediaType, name].map(textOf).filter(Boolean).join(', '),
        typeof data === 'string' ? `${count(data.length)} characters of base64` : '',
      )}${rest}`
  }
}

function responseBlock({ id, name, content, isError, ...more }: JsonObject): Html {
  const what = `result of ${textOf(name)} (${textOf(id)})${isError === true ? ', an error' : ''}`
  return html`${block(what, '')}${contentBlocks(content)}${moreBlock(more)}`
}

const moreBlock = (more: { readonly [name: string]: Json | undefined }): Html | undefined =>
  Object.keys(more).length === 0 ? undefined : block('also', pretty(more as JsonObject))

/** A line break right after `<pre>` is none to a reader of HTML: this one is given away, so that one in the text stays. */
const FIRST_LINE = '\n'

const block = (what: string, text: string): Html =>
  html`<div class="block">
    ${what !== '' && html`<div class="what">${what}</div>`}
    ${text !== '' && html`<pre>${FIRST_LINE}${text}</pre>`}
  </div>`

const isObject = (x: Json | undefined): x is JsonObject =>
  typeof x === 'object' && x !== null && !Array.isArray(x)

const list = (x: Json | undefined): readonly JsonObject[] =>
  Array.isArray(x) ? (x as readonly Json[]).filter(isObject) : []

function textOf(x: Json | undefined): string {
  if (x === undefined) return ''
  return typeof x === 'string' ? x : pretty(x)
}

const pretty = (value: Json): string => JSON.stringify(value, null, 2)
