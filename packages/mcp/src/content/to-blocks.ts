/** Turns what a tool gives the model into content blocks of MCP. */
import type { ContentBlock } from '@modelcontextprotocol/server'
import type { MediaPart, ToolOutput } from 'toolwright'
import { fromBase64 } from './base64.ts'

export function toBlocks(output: ToolOutput): ContentBlock[] {
  if (typeof output === 'string') return [textBlock(output)]
  return output.map((part, index) =>
    part.type === 'text' ? textBlock(part.text) : mediaBlock(part, index),
  )
}

export const textBlock = (text: string): ContentBlock => ({ type: 'text', text })

function mediaBlock(given: MediaPart, index: number): ContentBlock {
  const { type, mediaType: mimeType, data, url, name } = inlined(given)
  if (data === undefined)
    return { type: 'resource_link', uri: url ?? '', name: name ?? `${type}-${index + 1}`, mimeType }
  // A client rejects the whole result for one block that it cannot decode.
  if (!isBase64(data)) return textBlock(`[${type} left out: its data is not base64]`)
  if (type !== 'file') return { type, data, mimeType }
  const uri = uriOf(name ?? `file-${index + 1}`)
  const text = isText(mimeType) ? textOf(data) : undefined
  const content = text === undefined ? { blob: data } : { text }
  return { type: 'resource', resource: { uri, mimeType, ...content } }
}

/** The name of a file may be its address. */
const uriOf = (name: string): string =>
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(name) ? name : `attachment:///${encodeURIComponent(name)}`

const isText = (mimeType: string): boolean =>
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i.test(mimeType)

/** Undefined for what is no text, whatever its media type says. */
function textOf(data: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(data))
  } catch {
    return undefined
  }
}

/** A `data:` address is data. */
function inlined(part: MediaPart): MediaPart {
  const [, data] =
    /^data:[^,]*;base64,(.*)$/s.exec(part.data === undefined ? (part.url ?? '') : '') ?? []
  return data === undefined ? part : { ...part, data }
}

const isBase64 = (data: string): boolean =>
  data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)
