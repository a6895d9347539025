/**
 * Doc comments that the compiler attaches to no declaration, because other code stands before them on their line.
 * `{ /** When *\/ time: Date }`: the comment before a declaration is read here. One after a declaration
 * says nothing to the compiler or to other readers of doc comments, so it is reported.
 */
import ts from 'typescript'
import type { Problems } from './problems.ts'

/** The doc comment right before a declaration, on a line that begins with something else. */
export function sameLineComment(node: ts.Node): ts.JSDoc | undefined {
  const source = node.getSourceFile()
  if (!source || node.pos < 0) return undefined
  const { text } = source
  const comment = ts.getTrailingCommentRanges(text, node.pos)?.filter((one) => isDoc(text, one)).at(-1) // prettier-ignore
  if (!comment || !isBefore(node, comment, text)) return undefined
  // Blanks in place of all that stands before it: positions stay those of the source.
  const blank = text.slice(0, comment.pos).replaceAll(/[^\r\n]/g, ' ')
  const alone = ts.createSourceFile(
    source.fileName,
    `${blank}${text.slice(comment.pos, comment.end)}\nlet it`,
    ts.ScriptTarget.Latest,
    true,
  )
  return ts.getJSDocCommentsAndTags(alone.statements[0]!).filter(ts.isJSDoc).at(-1)
}

/** Warns of doc comments after a declaration, on its line. */
export function warnOfLostComment(node: ts.Declaration, path: string, problems: Problems): void {
  const source = node.getSourceFile()
  const { text } = source
  for (const comment of ts.getTrailingCommentRanges(text, node.end) ?? []) {
    if (!isDoc(text, comment) || startsDeclaration(text, comment)) continue
    problems.warnAt(source, comment.pos, {
      message: `The doc comment after ${path} is not used: ${shortened(text.slice(comment.pos, comment.end))}`,
      fix: 'Put it above what it describes.',
    })
  }
}

const isDoc = (text: string, { pos, end }: ts.CommentRange): boolean =>
  text.startsWith('/**', pos) && end - pos > 4

/** A comment with a line break before the declaration belongs to what stands before it. */
const isBefore = (node: ts.Node, { end }: ts.CommentRange, text: string): boolean =>
  !/[\r\n]/.test(text.slice(end, node.getStart()))

/** Whether a further declaration follows on the line: the comment is its own. */
const startsDeclaration = (text: string, { end }: ts.CommentRange): boolean =>
  !/^(?:\s*\/\*(?:(?!\*\/)[^])*\*\/)*[^\S\r\n]*(?:[\r\n}\],;)|&]|\/\/|$)/.test(text.slice(end))

function shortened(comment: string): string {
  const words = comment.replace(/\s+/g, ' ')
  return words.length > 60 ? `${words.slice(0, 57)}...` : words
}
