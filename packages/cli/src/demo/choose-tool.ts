/** Which of the offered tools a sentence asks for: by the keyword index, and by what the sentence can fill. */
import type { ToolDefinition } from 'toolwright'
import { keywordToolIndex } from 'toolwright/tool-search'
import type { Sentence } from './candidates.ts'
import { fillArguments, type Filled } from './fill-arguments.ts'

export interface Choice {
  readonly definition: ToolDefinition
  readonly filled: Filled
}

export type ChooseTool = (sentence: Sentence) => Promise<Choice | undefined>

/** A tool fits when the sentence finds it this well, in parts of how well its own name does. */
const LEAST_LIKENESS = 0.35
const CONSIDERED = 4

export async function toolChooser(definitions: readonly ToolDefinition[]): Promise<ChooseTool> {
  const index = keywordToolIndex()
  const session = 'demo'
  await index.index(session, definitions)
  const search = async (query: string, maxResults: number) =>
    (await index.search({ session, query, maxResults })).references
  return async (sentence) => {
    const found = await search(sentence.text.replace(/["“][^"”]*["”]/g, ' '), CONSIDERED)
    const [best] = found
      .map(({ name, score }) => {
        const definition = definitions.find((each) => each.name === name)!
        const filled = fillArguments(definition, sentence)
        return { definition, filled, score, worth: score * worthOf(filled) }
      })
      .sort((a, b) => b.worth - a.worth)
    if (!best) return undefined
    // Asked by its very name a tool scores beyond its words, hence the words of the name and a mark.
    const words = best.definition.name.replace(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    const [own] = await search(`${words} ?`, 1)
    return best.score >= (own?.score ?? 0) * LEAST_LIKENESS ? best : undefined
  }
}

/** A tool whose parameters find their values in the sentence is more likely meant. */
const worthOf = ({ missing, count }: Filled): number =>
  (1 + 0.1 * count) / (1 + 0.3 * missing.length)

/** "then" begins another wish; "and" or a full stop may. Nothing inside quotes does. */
const BOUNDARY = /(\s*,?\s*(?:\band\s+)?\b(?:then|after that|afterwards)\b\s*|\s*,?\s*\band(?:\s+also)?\b\s+|(?<=[.?!;])\s+)(?=(?:[^"“”]*["“][^"“”]*["”])*[^"“”]*$)/i // prettier-ignore

/** The things a sentence asks for. A part stands alone if it finds a tool, and at a weak boundary all it needs. */
export async function clausesOf(
  sentence: Sentence,
  choose: ChooseTool,
): Promise<readonly string[]> {
  const [first = '', ...rest] = sentence.text.split(BOUNDARY)
  const clauses = [first]
  for (let at = 0; at < rest.length; at += 2) {
    const [boundary, part] = rest.slice(at) as [string, string]
    const last = clauses.pop()!
    const choices = await Promise.all([last, part].map((text) => choose({ ...sentence, text })))
    const strong = /then|after/i.test(boundary)
    const apart = choices.every(
      (choice) => choice && (strong || choice.filled.missing.length === 0),
    )
    clauses.push(...(apart ? [last, part] : [last + boundary + part]))
  }
  return clauses
}
