/**
 * Arguments from a sentence: what it mentions goes to the parameters it fits best, the surest first.
 * Optional parameters get a value only if the words around it speak for them.
 */
import type { Json, JsonObject, ToolDefinition } from 'toolwright'
import { candidatesFor, type Candidate, type Sentence } from './candidates.ts'
import { mentionsIn, overlap } from './mentions.ts'
import { givenBy, parametersOf, withValueAt } from './parameters.ts'
import { wordsOf } from './words.ts'

export interface Filled {
  /** The arguments of each call: "in Berlin and in Paris" are two. */
  readonly calls: readonly JsonObject[]
  /** Paths of required parameters that the sentence does not give. */
  readonly missing: readonly (readonly string[])[]
  /** How many parameters the sentence gave a value. */
  readonly count: number
  /** A value counts from now. */
  readonly needsNow: boolean
}

/** `refused`: values not to be used, because the tool did not take them. */
export function fillArguments(
  { name, inputSchema }: ToolDefinition,
  sentence: Sentence,
  refused: readonly Json[] = [],
): Filled {
  const parameters = parametersOf(inputSchema)
  const known = new Set([...wordsOf(name), ...parameters.flatMap((each) => [...each.name])])
  const mentions = mentionsIn(sentence.text, sentence.now, known)
  const candidates = parameters
    .flatMap((parameter) => candidatesFor(parameter, mentions, sentence))
    .filter(({ value }) => !refused.includes(value))
    .sort((a, b) => b.score - a.score || byPlace(a, b))
  const chosen = choose(candidates, sentence.text)
  const given = parameters.filter(
    ({ required, schema }) => required && givenBy(schema) !== undefined,
  )
  const usual = given.reduce(
    (args, { path, schema }) => withValueAt(args, path, givenBy(schema)!),
    {},
  )
  const args = chosen.reduce((args, { parameter: { path, many }, list }) => {
    const values = list.map(({ value }) => value)
    return withValueAt(args, path, many ? values : values[0]!)
  }, usual as JsonObject)
  const several = chosen.find(
    ({ parameter, list, mention }) =>
      !parameter.many && list.length > 1 && mention.kind !== 'phrase',
  )
  return {
    calls: several
      ? several.list.map(({ value }) => withValueAt(args, several.parameter.path, value))
      : [args],
    missing: parameters
      .filter(
        (each) =>
          each.required &&
          !given.includes(each) &&
          !chosen.some(({ parameter }) => parameter === each),
      )
      .map(({ path }) => path),
    count: chosen.length,
    needsNow: chosen.some(({ mention }) => mention.relative),
  }
}

/** Earlier first, and of those that begin together the longer. */
const byPlace = ({ mention: a }: Candidate, { mention: b }: Candidate): number =>
  a.start - b.start || b.end - a.end

interface Chosen extends Candidate {
  /** Itself, and what follows it in a list. */
  readonly list: readonly Candidate[]
}

/** For each parameter its best candidate that is still free. */
function choose(candidates: readonly Candidate[], text: string): readonly Chosen[] {
  const chosen: Chosen[] = []
  const free = (): readonly Candidate[] =>
    candidates.filter((each) => !chosen.some(({ list }) => list.some((taken) => overlap(taken.mention, each.mention)))) // prettier-ignore
  for (const candidate of candidates) {
    if (!free().includes(candidate)) continue
    if (chosen.some(({ parameter }) => parameter === candidate.parameter)) continue
    const list = candidate.parameter.many ? listFrom(candidate, free(), text) : [candidate]
    chosen.push({ ...candidate, list })
  }
  // A second value for a parameter that takes one is left until every other had its choice.
  return chosen.map((one) =>
    one.parameter.many ? one : { ...one, list: listFrom(one, free(), text) },
  )
}

const BETWEEN =
  /^["”']?\s*(?:,|&|,?\s*\b(?:and|or|plus)\b)(?:\s+also)?(?:\s+(?:in|at|on|for|to|from|of|with|by))?(?:\s+(?:the|a|an))?\s*["“']?$/i

/** "Berlin, Rome and Paris", "in Berlin and in Paris". */
function listFrom(
  first: Candidate,
  free: readonly Candidate[],
  text: string,
): readonly Candidate[] {
  const list = [first]
  for (const next of free.toSorted(byPlace)) {
    const { mention: last } = list.at(-1)!
    const follows =
      next.mention.kind === last.kind && BETWEEN.test(text.slice(last.end, next.mention.start))
    if (next.parameter === first.parameter && follows) list.push(next)
  }
  return list
}
