/** The JSON that a person typed, or where it stops being JSON, or what of it would be lost. */
import type { Json } from 'toolwright'
import { lossInJson } from './loss-in-json.ts'

export type ReadJson =
  | { readonly value: Json | undefined; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string }

export function readJson(text: string): ReadJson {
  if (text.trim() === '') return { value: undefined }
  try {
    const value = JSON.parse(text) as Json
    const problem = lossInJson(text)
    return problem === undefined ? { value } : { problem }
  } catch (thrown) {
    const message = (thrown as Error).message.replace(/^JSON\.parse: /, '')
    return { problem: `This is no JSON: ${withLine(message, text)}` }
  }
}

export const jsonText = (value: Json | undefined): string =>
  value === undefined ? '' : JSON.stringify(value, null, 2)

/** Some engines name a position only. */
function withLine(message: string, text: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position === undefined || message.includes('line')) return message
  const before = text.slice(0, Number(position)).split('\n')
  return `${message} (line ${before.length}, column ${before.at(-1)!.length + 1})`
}
