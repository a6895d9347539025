/**
 * Reads doc comments: the first paragraph, the tags of a tool, and the tags that describe a value beyond
 * its type. Tags are written on the tool or the property; for a parameter they are written in braces in its
 * `@param` text: `@param age Years {@minimum 0} {@maximum 120}`.
 */
import ts from 'typescript'
import { didYouMeanTag, VALUE_TAGS, type ReadTag, type Tag } from './doc-tags.ts'
import type { Problems } from './problems.ts'
import { sameLineComment } from './same-line-comment.ts'
import type { JsonValue, Notes } from '../shape/shape.ts'

export interface Doc {
  readonly description: string | undefined
  readonly tags: readonly Tag[]
  /** Where it is written. */
  readonly node?: ts.Node
}

/** What the comments say about a value, besides its description. */
export interface ValueDoc {
  readonly notes: Notes
  /** `@required` or `@optional`, and where it is written. */
  readonly presence: { readonly required: boolean; readonly node: ts.Node } | undefined
  /** `@any`: the value may be anything. */
  readonly any: boolean
}

export const NO_DOC: Doc = { description: undefined, tags: [] }

/** The comment before a declaration. */
export function docOf(node: ts.Node): Doc {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const comment = comments.at(-1) ?? sameLineComment(node)
  if (!comment) return NO_DOC
  return {
    description: firstParagraph(ts.getTextOfJSDocComment(comment.comment)),
    tags: tagsOf(comment),
    node: comment,
  }
}

/**
 * The tags with their text as written. The parser takes the first word of some as a type or a name, and a
 * tag in braces right after a parameter's name as a tag of its own.
 */
function tagsOf({ tags = [] as never }: ts.JSDoc): readonly Tag[] {
  const readTags: Tag[] = []
  for (const node of tags) {
    const source = node.getSourceFile().text
    const before = readTags.at(-1)
    const isInside = before && source[node.getStart() - 1] === '{'
    if (isInside) readTags.pop()
    const { tagName } = (isInside ? before.node : node) as ts.JSDocTag
    const text = withoutStars(source.slice(tagName.end, node.end))
    readTags.push({ name: tagName.text, text, node: tagName.parent })
  }
  return readTags
}

const withoutStars = (written: string): string =>
  written
    .split(/\r?\n/)
    .map((line, index) => (index > 0 ? line.replace(/^\s*\* ?/, '') : line))
    .join('\n')
    .replace(/\*\/\s*$/, '')
    .trim()

/** The paragraph as one line. */
function firstParagraph(comment: string | undefined): string | undefined {
  const [paragraph = ''] = (comment ?? '').trim().split(/\r?\n\s*\r?\n/)
  return oneLine(withoutLinks(paragraph)) || undefined
}

/** Replaces a link by its text, or by the name it points to. */
const withoutLinks = (words: string): string =>
  words.replaceAll(/\{@link(?:code|plain)?\s+([^\s|}]+)\s*\|?\s*([^}]*)\}/g, (_all, to: string, said: string) => said.trim() || to) // prettier-ignore

const oneLine = (words: string): string => words.replace(/\s+/g, ' ').trim()

/** The `@param` texts of a declaration by name; nested ones by their dotted name. */
export function paramDocs(doc: Doc): ReadonlyMap<string, Doc> {
  const docs = new Map<string, Doc>()
  for (const tag of doc.tags) {
    const [, name, rest = ''] =
      /^(?:\{[^}]*\}\s*)?\[?([\w$.[\]]+?)(?:=[^\]]*)?\]?(?:\s+(?:-\s*)?([\s\S]*))?$/.exec(
        tag.text,
      ) ?? []
    if (/^(?:param|arg|argument)$/.test(tag.name) && name) docs.set(name, inlineDoc(rest, tag.node))
  }
  return docs
}

/** Splits text and tags in braces. Braces inside a tag, as in a pattern, must be balanced. */
function inlineDoc(written: string, node: ts.Node): Doc {
  const tags: Tag[] = []
  let words = ''
  for (let at = 0; at < written.length; at++) {
    const name = /^\{@([a-zA-Z]+)\s*/.exec(written.slice(at))
    if (!name || /^link/.test(name[1]!)) {
      words += written[at]
      continue
    }
    const end = closingBrace(written, at)
    tags.push({ name: name[1]!, text: written.slice(at + name[0].length, end).trim(), node })
    at = end
  }
  return { description: firstParagraph(words), tags, node }
}

function closingBrace(written: string, from: number): number {
  let depth = 0
  for (let at = from; at < written.length; at++) {
    if (written[at] === '{') depth++
    if (written[at] === '}' && --depth === 0) return at
  }
  return written.length
}

/** What a doc comment says about a value. Unknown tags are ignored, unless they are obvious misspellings. */
export function valueDoc(doc: Doc, problems: Problems): ValueDoc {
  const notes: { [keyword: string]: JsonValue } = {}
  let presence: ValueDoc['presence']
  if (doc.description !== undefined) notes.description = doc.description
  for (const tag of doc.tags) {
    if (tag.name === 'required' || tag.name === 'optional')
      presence = { required: tag.name === 'required', node: tag.node }
    else if (isForPeople(tag)) continue
    else if (Object.hasOwn(VALUE_TAGS, tag.name)) note(notes, tag, problems)
    else didYouMeanTag(tag, problems)
  }
  return { notes, presence, any: doc.tags.some(({ name }) => name === 'any') }
}

/** Whether it is an example in code. */
const isForPeople = ({ name, text }: Tag): boolean =>
  name === 'example' && /^```(?!json)\w/.test(text)

function note(notes: { [keyword: string]: JsonValue }, tag: Tag, problems: Problems): void {
  const { keyword = tag.name, read, wants } = VALUE_TAGS[tag.name] as ReadTag
  const value = read(tag.text)
  if (value === undefined) {
    const had = tag.text === '' ? 'nothing' : `"${oneLine(tag.text)}"`
    return problems.add(tag.node, {
      message: `@${tag.name} has ${had}, which is not ${wants}.`,
      fix: `Write @${tag.name} ${VALUE_TAGS[tag.name]!.sample}`.trim() + '.',
    })
  }
  const earlier = notes[keyword]
  notes[keyword] =
    keyword === 'examples' && Array.isArray(earlier)
      ? [...earlier, ...(value as JsonValue[])]
      : value
  if (tag.name === 'deprecated' && tag.text)
    notes.description = [notes.description, `Deprecated: ${oneLine(tag.text)}`]
      .filter(Boolean)
      .join(' ')
}
