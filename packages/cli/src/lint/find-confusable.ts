/**
 * Finds tools that a model may confuse. The words of each tool are put to the keyword index: if another
 * tool scores nearly as well, in both directions, the words do not tell them apart.
 */
import type { ToolDefinition } from 'toolwright'
import { keywordToolIndex, type ToolIndex, type ToolReference } from 'toolwright/tool-search'
import type { Finding } from './finding.ts'

/**
 * The share of the tool's own score that counts as confusable. Among the 527 tools of 70 real MCP servers,
 * each server taken alone, this finds 8 pairs (a directory listed twice, twice the same chart); among 199
 * plugins of different makers none. Create and delete, or get and cancel of one thing, stay well below.
 */
const NEARLY_THE_SAME = 0.75

/**
 * Ordinary tools that are indexed too. The rarity of a word depends on the other tools: with only two
 * tools, every shared word would count for nothing.
 */
const COMPANY = Object.entries({
  'set alarm': 'Set an alarm for a time',
  'current time': 'Give the current date and time',
  'send mail': 'Send an e-mail to somebody',
  'list invoices': 'List the invoices of a month',
  'add task': 'Add a task to the list',
  'play song': 'Play a song by its title',
  translate: 'Translate a text to a language',
  'convert currency': 'Convert an amount between currencies',
  'book table': 'Book a table at a restaurant',
  'read file': 'Read a file from disk',
  'write file': 'Write a file to disk',
  'run query': 'Run a query on the database',
  'make chart': 'Make a chart of numbers',
  'search web': 'Search the web for pages',
  summarise: 'Summarise a long document',
  'open garage': 'Open the garage door',
  'turn lights': 'Turn lights on or off',
  'post message': 'Post a message to a channel',
}).map(([name, description]): ToolReference => ({
  // No real tool has such a name; the index accepts each name once.
  name: ` ${name}`,
  description,
  inputSchema: { properties: { value: { type: 'string', description: 'What is meant' } } },
}))

/** Verbs that mean the same in tool names. */
const SAME_VERBS: readonly (readonly [plain: string, others: RegExp])[] = [
  ['get', /\b(fetch|retrieve|load|return)(e?s)?\b/g],
  ['find', /\b(search|lookup|look up)(es)?( for)?\b/g],
  ['create', /\b(add|make|insert)s?\b/g],
  ['delete', /\b(remove|erase)s?\b/g],
  ['update', /\b(change|edit|modify|modifie)s?\b/g],
]

const SESSION = 'lint'
const MOST_FOUND = 50

/** Tools without a name or description are skipped: they have worse problems. */
export async function findConfusable(all: readonly ToolDefinition[]): Promise<readonly Finding[]> {
  const definitions = all.filter((each) => each.name !== '' && normalised(each) !== '')
  const index = keywordToolIndex()
  await index.index(SESSION, [...COMPANY, ...definitions.map(plainly)])
  const nearness = new Map<string, Map<string, number>>()
  for (const definition of definitions)
    nearness.set(definition.name, await nearOnes(definition, index))
  return definitions.flatMap((one, position) =>
    definitions.slice(position + 1).flatMap((other) => {
      if (sameText(one, other)) return [sameDescription(one, other)]
      const there = nearness.get(one.name)!.get(other.name) ?? 0
      const back = nearness.get(other.name)!.get(one.name) ?? 0
      return Math.min(there, back) < NEARLY_THE_SAME ? [] : [confusable(one, other)]
    }),
  )
}

/** The score of each found tool relative to the tool's own score. */
async function nearOnes(
  { name, description }: ToolDefinition,
  index: ToolIndex,
): Promise<Map<string, number>> {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|[_.-]+/g, ' ')
  const query = withCommonVerbs(`${words}: ${description}`)
  const { references } = await index.search({ session: SESSION, query, maxResults: MOST_FOUND })
  const ownScore = references.find((found) => found.name === name)?.score ?? Infinity
  return new Map(references.map((found) => [found.name, found.score / ownScore]))
}

const plainly = (definition: ToolDefinition): ToolReference => ({
  ...definition,
  description: withCommonVerbs(definition.description),
})

const withCommonVerbs = (text: string): string =>
  SAME_VERBS.reduce((said, [verb, others]) => said.replaceAll(others, verb), text.toLowerCase())

const sameText = (one: ToolDefinition, other: ToolDefinition): boolean =>
  normalised(one) === normalised(other)

const normalised = ({ description }: ToolDefinition): string =>
  description
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const sameDescription = ({ name }: ToolDefinition, other: ToolDefinition): Finding => ({
  rule: 'confusable',
  tool: name,
  message: `${name} and ${other.name} have the same description.`,
  fix: TELL_APART,
})

const confusable = ({ name }: ToolDefinition, other: ToolDefinition): Finding => ({
  rule: 'confusable',
  tool: name,
  message: `A model will confuse ${name} and ${other.name}: their names and descriptions use nearly the same words.`,
  fix: TELL_APART,
})

const TELL_APART =
  'Say in each description what only that one does and when to use it, or make them one tool.'
