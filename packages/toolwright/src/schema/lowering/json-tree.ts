/**
 * JSON text as a tree of the places where its values stand, so that a value can be put into another text exactly
 * as it was written: numbers keep all their digits. One pass, and no stack, however deep the value.
 */
import { stringEnd } from '../../internal/string-end.ts'

export interface JsonTree {
  readonly value: unknown
  /** The value as it was written. */
  readonly text: string
  /** The items of a list or the members of an object, in the order of the text. */
  readonly inner: readonly (readonly [key: string, tree: JsonTree])[]
}

interface OpenTree {
  readonly value: unknown
  readonly start: number
  text: string
  readonly inner: [string, OpenTree][]
}

/** Undefined when the text is not JSON. */
export function jsonTree(text: string): JsonTree | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return grown(text, value)
}

const TOKEN = /["[\]{},:]|[^\s"[\]{},:]+/g

function grown(text: string, whole: unknown): JsonTree {
  const root: OpenTree = { value: undefined, start: 0, text: '', inner: [] }
  const open: OpenTree[] = [root]
  let key: string | undefined
  const token = new RegExp(TOKEN)
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { 0: mark, index } = found
    const parent = open.at(-1)!
    if (mark === ',' || mark === ':') continue
    if (mark === ']' || mark === '}') {
      open.pop()
      parent.text = text.slice(parent.start, token.lastIndex)
      continue
    }
    if (mark === '"') token.lastIndex = stringEnd(text, index)
    const isMember = parent !== root && !Array.isArray(parent.value)
    if (isMember && key === undefined) {
      key = JSON.parse(text.slice(index, token.lastIndex)) as string
      continue
    }
    const name = key ?? String(parent.inner.length)
    key = undefined
    const value = parent === root ? whole : (parent.value as { [name: string]: unknown })[name]
    const tree: OpenTree = {
      value,
      start: index,
      text: text.slice(index, token.lastIndex),
      inner: [],
    }
    parent.inner.push([name, tree])
    if (mark === '{' || mark === '[') open.push(tree)
  }
  return root.inner[0]![1]
}
