/** A file that a page sent, by its address: a data URL is the file itself. */
import { PageError } from '../../errors/errors.ts'

export interface PageFile {
  readonly url: unknown
  readonly mediaType: unknown
  readonly name?: unknown
}

/** In the form that `fromUntrustedMessages` checks. */
export function mediaOfUrl({ url, mediaType, name }: PageFile): {
  readonly [key: string]: unknown
} {
  if (typeof url !== 'string') throw new PageError('page-body', 'A file has no url.')
  const type = mediaKind(mediaType)
  if (!url.startsWith('data:')) return { type, mediaType, url }
  const comma = url.indexOf(',')
  const head = url.slice('data:'.length, comma)
  if (comma < 0 || !head.endsWith(';base64'))
    throw new PageError('page-body', 'A file is a data URL that is not base64.')
  return { type, mediaType, data: url.slice(comma + 1), name }
}

/** What kind of part holds a file of this type. */
export function mediaKind(mediaType: unknown): 'image' | 'audio' | 'file' {
  const [kind] = String(mediaType).split('/')
  return kind === 'image' || kind === 'audio' ? kind : 'file'
}
