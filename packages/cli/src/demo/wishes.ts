/**
 * Finds what a sentence asks for: which tools, with which arguments, and whether it asks for several
 * things.
 */
import type { ToolDefinition } from 'toolwright'
import { keywordToolIndex } from 'toolwright/tool-search'
import { fillArguments, type Wish } from './fill-arguments.ts'

type Tools = readonly ToolDefinition[]

/** The lowest score of a tool that counts, relative to the score of its own name. */
const LEAST_LIKENESS = 0.35

/**
 * Finds the tool for a text with the keyword index; between close ones, the arguments that the text can
 * fill decide.
 */
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
    // An exact name scores higher than its words, so the words of the name and a mark are searched instead.
    const words = best?.tool.name.replace(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    const [own] = await search(`${words} ?`)
    return best && own && best.score >= own.score * LEAST_LIKENESS ? best : undefined
  }
}

/** Where another wish may begin, except inside quotes. */
const BOUNDARY = /(?=,\s|\s(?:and|then)\s|(?<=[.?!;])\s)(?=(?:[^"]*"[^"]*")*[^"]*$)/i
const MOST_PARTS = 8

/** The wishes in a sentence. A part of it is a wish of its own if it needs nothing from the other parts. */
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

/** "... and in Paris": repeats the wish, if the text gives a value for the same parameters. */
function repeated({ tool, args }: Wish, text: string, now: Date): Wish | undefined {
  const repeatedWish = fillArguments(tool, text, now)
  const [names, others] = [args, repeatedWish.args].map((each) => Object.keys(each).join())
  return names && names === others ? repeatedWish : undefined
}
