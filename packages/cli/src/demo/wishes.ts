/** What a sentence asks for: which tool, with which arguments, and whether it asks for several things. */
import type { ToolDefinition } from 'toolwright'
import { keywordToolIndex } from 'toolwright/tool-search'
import { fillArguments, type Wish } from './fill-arguments.ts'

type Tools = readonly ToolDefinition[]

/** A tool fits when the sentence finds it this well, in parts of how well its own name does. */
const LEAST_LIKENESS = 0.35

/** Finds the tool for a text by the keyword index; what the text can fill decides between near ones. */
async function toolChooser(tools: Tools, now: Date) {
  const index = keywordToolIndex()
  await index.index('demo', tools)
  const search = async (query: string) =>
    (await index.search({ session: 'demo', query, maxResults: 4 })).references
  return async (text: string): Promise<Wish | undefined> => {
    const found = await search(text.replace(/["“][^"”]*["”]/g, ' '))
    const wishes = found.map(({ name, score }) => {
      const tool = tools.find((each) => each.name === name)!
      const wish = fillArguments(tool, text, now)
      const fullness = 1 + 0.1 * Object.keys(wish.args).length - 0.3 * wish.missing.length
      return { ...wish, score, worth: score * fullness }
    })
    const [best] = wishes.sort((a, b) => b.worth - a.worth)
    // Asked by its very name a tool scores beyond its words, hence the words of the name and a mark.
    const words = best?.tool.name.replace(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    const [own] = await search(`${words} ?`)
    return best && own && best.score >= own.score * LEAST_LIKENESS ? best : undefined
  }
}

/** Where another wish may begin, but not inside quotes. */
const BOUNDARY = /(?=,\s|\s(?:and|then)\s|(?<=[.?!;])\s)(?=(?:[^"]*"[^"]*")*[^"]*$)/i
const MOST_PARTS = 8

/** The things a sentence asks for. A part of it is a wish of its own if it needs nothing from the others. */
export async function wishesIn(text: string, tools: Tools, now: Date): Promise<readonly Wish[]> {
  const choose = await toolChooser(tools, now)
  const read = async (part: string, last?: Wish): Promise<Wish | undefined> =>
    (await choose(part)) ?? (last && repeated(last, part, now))
  const wishes: Wish[] = []
  let part = ''
  for (const next of text.split(BOUNDARY, MOST_PARTS)) {
    const wish = await read(part, wishes.at(-1))
    const isApart = wish?.missing.length === 0 && (await read(next, wish))?.missing.length === 0
    if (isApart) wishes.push(wish)
    part = isApart ? next : part + next
  }
  const last = await read(part, wishes.at(-1))
  return last ? [...wishes, last] : wishes
}

/** "... and in Paris": the same again, if it gives the same parameters a value. */
function repeated({ tool, args }: Wish, text: string, now: Date): Wish | undefined {
  const again = fillArguments(tool, text, now)
  const [names, others] = [args, again.args].map((each) => Object.keys(each).join())
  return names && names === others ? again : undefined
}
