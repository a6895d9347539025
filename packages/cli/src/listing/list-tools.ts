/** Lists tools for a reader: name, purpose, parameters, and what to know before running them. */
import type { JsonSchema, JsonSchemaNode, ToolCallback } from 'toolwright'
import { printable } from '../terminal/printable.ts'
import { wrap } from '../terminal/wrap.ts'
import { descriptionOf, propertiesOf, typeInWords } from './type-in-words.ts'

const INDENT = '  '
/** Deeper objects are shown by their type only; a recursive one would never end. */
const DEEPEST = 3

/** `width` is in columns; `Infinity` for a pipe. */
export const listTools = (tools: readonly ToolCallback[], width: number): string =>
  tools.map((tool) => listTool(tool, width)).join('\n\n')

function listTool({ definition, metadata }: ToolCallback, width: number): string {
  const { name, description, inputSchema } = definition
  const notes = notesOf(metadata)
  return [
    wrap(printable(name), { width }),
    wrap(printable(description), { width, indent: INDENT }),
    ...parameters({ node: inputSchema, root: inputSchema, width, depth: 1 }),
    ...(notes.length > 0 ? [wrap(`(${notes.join(', ')})`, { width, indent: INDENT })] : []),
  ].join('\n')
}

interface Level {
  readonly node: JsonSchemaNode
  readonly root: JsonSchema
  readonly width: number
  readonly depth: number
}

function parameters({ node, root, width, depth }: Level): readonly string[] {
  const indent = INDENT.repeat(depth)
  return propertiesOf(node, root).flatMap(({ name, isRequired, schema }) => {
    const described = descriptionOf(schema, root)
    const head = `- ${name}: ${typeInWords(schema, root)}${isRequired ? ', required' : ''}`
    const text = printable(described ? `${head}: ${described}` : head)
    const line = wrap(text, { width, indent, hanging: `${indent}  ` })
    const below = { node: schema, root, width, depth: depth + 1 }
    return depth < DEEPEST ? [line, ...parameters(below)] : [line]
  })
}

const HINTS = {
  readOnly: 'only reads',
  destructive: 'destructive, asks for approval',
  idempotent: 'twice is as good as once',
  openWorld: 'reaches the outside',
} as const

/** A tool that was not made by `tool()` may have no metadata. */
function notesOf(metadata: Partial<ToolCallback['metadata']> = {}): readonly string[] {
  const hints = Object.entries(HINTS).filter(
    ([hint]) => metadata.hints?.[hint as keyof typeof HINTS],
  )
  const { approval, suppliedResult, returnDirect } = metadata
  return [
    ...hints.map(([, words]) => words),
    ...(approval && !metadata.hints?.destructive ? ['asks for approval'] : []),
    ...(suppliedResult ? ['the application supplies the result'] : []),
    ...(returnDirect ? ['its result is the answer'] : []),
  ]
}
