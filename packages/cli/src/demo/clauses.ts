/** The things a sentence asks for, each as a sentence of its own. */
import type { ChooseTool } from './choose-tool.ts'
import type { Sentence } from './fill-arguments.ts'

/** "then" begins another wish; "and", a comma or a full stop may. */
const BOUNDARY = /(\s*,?\s*(?:\band\s+)?\b(?:then|after that|afterwards)\b\s*|\s*,?\s*\band(?:\s+also)?\b\s+|(?<=[.?!;])\s+)(?=(?:[^"“”]*["“][^"“”]*["”])*[^"“”]*$)/i // prettier-ignore
const STRONG = /then|after/i

/** A part stands alone if it finds a tool, and after a weak boundary also all that the tool needs. */
export async function clausesOf(
  sentence: Sentence,
  choose: ChooseTool,
): Promise<readonly string[]> {
  const [first = '', ...rest] = sentence.text.split(BOUNDARY)
  const clauses = [first]
  for (let at = 0; at < rest.length; at += 2) {
    const [boundary, part] = [rest[at]!, rest[at + 1]!]
    const stands = async (text: string): Promise<boolean> => {
      const choice = await choose({ ...sentence, text })
      return !!choice && (STRONG.test(boundary) || choice.filled.missing.length === 0)
    }
    if ((await stands(part)) && (await stands(clauses.at(-1)!))) clauses.push(part)
    else clauses.push(clauses.pop()! + boundary + part)
  }
  return clauses
}
