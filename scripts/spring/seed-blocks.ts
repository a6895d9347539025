/**
 * The Java blocks of a Spring AI page kept as text, numbered in order. Where the text has kept its code
 * fences, they say what a block is; where it has lost them, blocks are told from prose by how Java begins
 * and by the prose that follows their last brace or semicolon on the same line.
 */
export interface SeedBlock {
  /** From 1, in the order of the page. */
  readonly number: number
  /** The first line that says something, without its literals. */
  readonly title: string
}

const BEGINNINGS = [
  /^(import|class|public (class|interface|record|enum)) /,
  /^@(Bean|Configuration|FunctionalInterface|Autowired)(\(.*\))?$/,
  /^(var|[A-Z]\w*(<\w+>)?(\[\])?) \w+ = /,
  /^(ChatClient\.create|chatClient\.prompt)\(/,
  /^\/\/ /,
]
/** Lines that many blocks begin with: imports, annotations, comments, `ChatModel chatModel = ...`. */
const SAYS_NOTHING = /^\s*$|^import |^@\w+(\(.*\))?$|^\/\/ |= \.\.\.$/

/** The Java blocks of one page. */
export function seedBlocks(text: string): SeedBlock[] {
  const blocks = text.includes('```java') ? fencedBlocks(text) : bareBlocks(text)
  return blocks.map((lines, index) => ({ number: index + 1, title: titleOf(lines) }))
}

function titleOf(lines: readonly string[]): string {
  const telling = lines.find((line) => !SAYS_NOTHING.test(line.trim())) ?? ''
  return telling.trim().replace(/"[^"]*"/g, '"…"')
}

const fencedBlocks = (text: string): string[][] =>
  [...text.matchAll(/^```java\n([\s\S]*?)^```/gm)].map((match) => match[1]!.split('\n'))

function bareBlocks(text: string): string[][] {
  const blocks: string[][] = []
  let open: string[] | undefined
  const take = (line: string): void => {
    if (!open && BEGINNINGS.some((pattern) => pattern.test(line))) blocks.push((open = []))
    if (!open) return
    const end = endOfCode(line)
    open.push(line.slice(0, end))
    if (end === undefined) return
    open = undefined
    take(line.slice(end).trimStart())
  }
  for (const line of text.split('\n')) take(line.replace(/^<\/dependency>/, ''))
  return blocks
}

/** Where on this line the code ends and prose (or the next block) begins; undefined when it does not. */
function endOfCode(line: string): number | undefined {
  const blank = (match: string): string => ' '.repeat(match.length)
  const code = line.replace(/"[^"]*"/g, blank).replace(/\/\/.*$/, blank)
  return /^.*?[;}](?=\s*[^\s;})\],.])/.exec(code)?.[0].length
}
