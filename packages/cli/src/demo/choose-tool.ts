/** Which of the offered tools a sentence asks for, by the keyword index and by what the sentence can fill. */
import type { ToolDefinition } from 'toolwright'
import { keywordToolIndex } from 'toolwright/tool-search'
import { fillArguments, type Filled, type Sentence } from './fill-arguments.ts'

export interface Choice {
  readonly definition: ToolDefinition
  readonly filled: Filled
}

export type ChooseTool = (sentence: Sentence) => Promise<Choice | undefined>

/** A tool fits when the sentence finds it at least so well, in parts of what its own name finds. */
const LEAST_LIKENESS = 0.2
const CONSIDERED = 4

export async function toolChooser(definitions: readonly ToolDefinition[]): Promise<ChooseTool> {
  const index = keywordToolIndex()
  const session = 'demo'
  await index.index(session, definitions)
  const search = async (query: string, maxResults: number) =>
    (await index.search({ session, query, maxResults })).references
  return async (sentence) => {
    const query = sentence.text.replace(/["“][^"”]*["”]/g, ' ')
    const [best, ...others] = (await search(query, CONSIDERED)).map(({ name, score }) => {
      const definition = definitions.find((each) => each.name === name)!
      const filled = fillArguments(definition, sentence)
      return { definition, filled, score, worth: score * worthOf(filled) }
    })
    if (!best) return
    const chosen = others.reduce((a, b) => (b.worth > a.worth ? b : a), best)
    const [own] = await search(chosen.definition.name.replace(/[_.-]/g, ' '), 1)
    return chosen.score >= (own?.score ?? 0) * LEAST_LIKENESS ? chosen : undefined
  }
}

/** A tool whose parameters find their values in the sentence is more likely meant. */
const worthOf = ({ missing, count }: Filled): number =>
  (1 + 0.1 * count) / (1 + 0.3 * missing.length)
