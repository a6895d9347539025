/**
 * What a server's tool gave, as parts that a model reads. Nothing here throws: a block that is broken, too large or of an
 * unknown type is described in words, and said to the caller as a problem.
 */
import type { MediaPart, UserPart } from 'toolwright'

export interface ConvertedBlocks {
  readonly parts: readonly UserPart[]
  /** Sentences about what could not be taken as it is. */
  readonly problems: readonly string[]
}

/** In base64 characters: more than any provider takes of one file. */
const LARGEST_MEDIA = 28 * 1024 * 1024
const MOST_BLOCKS = 1_000
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const MEDIA_TYPE = /^[a-z]+\/[\w.+-]+$/i

type Block = { readonly [key: string]: unknown }
type Problem = { readonly problem: string }
type Converted = UserPart | Problem

export function partsOfBlocks(blocks: readonly unknown[]): ConvertedBlocks {
  const problems: string[] = []
  const parts = blocks.slice(0, MOST_BLOCKS).map((block): UserPart => {
    const converted = convert(block)
    if (!('problem' in converted)) return converted
    problems.push(converted.problem)
    return text(`[${converted.problem}]`)
  })
  if (blocks.length <= MOST_BLOCKS) return { parts, problems }
  const problem = `${blocks.length - MOST_BLOCKS} more blocks were left out: there are too many`
  return { parts: [...parts, text(`[${problem}]`)], problems: [...problems, problem] }
}

function convert(block: unknown): Converted {
  const { type } = Object(block) as Block
  const known = typeof type === 'string' && Object.hasOwn(CONVERTERS, type)
  if (known) return CONVERTERS[type as keyof typeof CONVERTERS](block as Block)
  return { problem: `content of the unknown type ${shown(type)} was left out` }
}

const CONVERTERS = {
  text: ({ text: words }: Block): Converted =>
    typeof words === 'string' ? text(words) : { problem: 'a text without words was left out' },
  image: ({ data, mimeType }: Block): Converted => media('image', data, mimeType),
  audio: ({ data, mimeType }: Block): Converted => media('audio', data, mimeType),
  resource: ({ resource }: Block): Converted => ofResource(Object(resource) as Block),
  resource_link: ({ uri, name, description, mimeType }: Block): Converted => {
    const about = [name, mimeType, description].filter((x) => typeof x === 'string' && x !== '')
    return typeof uri === 'string'
      ? text(`[resource ${uri}${about.length > 0 ? `: ${about.join(', ')}` : ''}]`)
      : { problem: 'a link without an address was left out' }
  },
}

function ofResource({ uri, text: words, blob, mimeType }: Block): Converted {
  if (typeof words === 'string') return text(words)
  const { type } = mediaKind(mimeType)
  const part = media(type, blob, mimeType ?? 'application/octet-stream')
  return 'problem' in part || typeof uri !== 'string' ? part : { ...part, name: uri }
}

function media(type: MediaPart['type'], data: unknown, mimeType: unknown): MediaPart | Problem {
  const what = `${type === 'file' ? 'a file' : `an ${type}`} (${shown(mimeType)})`
  if (typeof data !== 'string') return { problem: `${what} without data was left out` }
  if (data.length > LARGEST_MEDIA)
    return {
      problem: `${what} of ${Math.floor((data.length * 3) / 4)} bytes was left out: it is too large`,
    }
  if (data === '' || !BASE64.test(data))
    return { problem: `${what} that is not base64 was left out` }
  if (typeof mimeType !== 'string' || !MEDIA_TYPE.test(mimeType))
    return { problem: `${what} without a media type was left out` }
  const kind = mediaKind(mimeType)
  if (type !== 'file' && kind.type !== type)
    return { problem: `${what} that is none by its media type was left out` }
  return { type, mediaType: mimeType, data }
}

const mediaKind = (mimeType: unknown): { readonly type: MediaPart['type'] } => {
  const family = /^(image|audio)\//i.exec(String(mimeType))?.[1]?.toLowerCase()
  return { type: (family as 'image' | 'audio' | undefined) ?? 'file' }
}

const text = (words: string): UserPart => ({ type: 'text', text: words })

const shown = (x: unknown): string => (JSON.stringify(x) ?? 'none').slice(0, 60)
