/**
 * Templates of addresses (`notes://{year}/{day}`, RFC 6570 level 1, and `{+path}`). Matching goes through the address
 * once, from left to right: no expression is built from a template, and no address makes it go back.
 */
import { invalid } from './invalid-option.ts'
import type { ResourceVariables } from './served-resource.ts'

export interface UriTemplate {
  /** In their order. */
  readonly variables: readonly string[]
  /** The values of the variables; undefined if the address is none of these. */
  match(uri: string): ResourceVariables | undefined
}

interface Variable {
  readonly name: string
  /** Whether it may have `/`, `?` and `#`. */
  readonly isOpen: boolean
  /** What follows it in the template. */
  readonly after: string
}

export const isTemplate = (uri: string): boolean => uri.includes('{')

export function uriTemplate(template: string): UriTemplate {
  const [start = '', ...pieces] = template.split('{')
  const variables = pieces.map((piece) => readVariable(template, piece))
  checkVariables(template, start, variables)
  return {
    variables: variables.map(({ name }) => name),
    match: (uri) => (uri.startsWith(start) ? matchFrom(uri, start.length, variables) : undefined),
  }
}

function readVariable(template: string, piece: string): Variable {
  const [, plus, name, after] = /^(\+?)(\w{1,64})\}([^}]*)$/.exec(piece) ?? []
  if (name === undefined || after === undefined)
    throw broken(template, 'a variable is written {name} or {+name}')
  return { name, isOpen: plus === '+', after }
}

function checkVariables(template: string, start: string, variables: readonly Variable[]): void {
  if (start.includes('}')) throw broken(template, 'a } has no {')
  if (new Set(variables.map(({ name }) => name)).size < variables.length)
    throw broken(template, 'two variables have one name')
  for (const { name, isOpen, after } of variables.slice(0, -1)) {
    if (after === '') throw broken(template, `nothing separates {${name}} from the next variable`)
    if (isOpen) throw broken(template, `{+${name}} may only be the last variable`)
  }
}

/** A variable ends where the text after it comes first; the last one takes what is left before the end. */
function matchFrom(
  uri: string,
  start: number,
  variables: readonly Variable[],
): ResourceVariables | undefined {
  const values: { [name: string]: string } = {}
  let from = start
  for (const [index, { name, isOpen, after }] of variables.entries()) {
    const isLast = index === variables.length - 1
    if (isLast && !uri.endsWith(after)) return undefined
    const end = isLast ? uri.length - after.length : uri.indexOf(after, from)
    if (end <= from) return undefined
    const value = decoded(uri.slice(from, end), isOpen)
    if (value === undefined) return undefined
    values[name] = value
    from = end + after.length
  }
  return values
}

function decoded(text: string, isOpen: boolean): string | undefined {
  if (!isOpen && /[/?#]/.test(text)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const broken = (template: string, why: string): Error =>
  invalid(`The template ${JSON.stringify(template.slice(0, 200))} is broken: ${why}.`)
