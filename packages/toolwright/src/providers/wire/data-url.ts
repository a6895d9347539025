/** Media that are given as a `data:` URL, which providers want inline. */
export interface InlineData {
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

/** Undefined for any other URL, and for data that is not base64. */
export function dataOfUrl(url: string | undefined): InlineData | undefined {
  const match = url === undefined ? null : /^data:([^;,]+)(?:;[^;,]+)*;base64,/i.exec(url)
  return match === null ? undefined : { mediaType: match[1]!, data: url!.slice(match[0].length) }
}
