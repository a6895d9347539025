/**
 * Arguments from a sentence: what it mentions goes to the parameters it fits best, the surest first.
 * Optional parameters get a value only if the words around it speak for them.
 */
import type { Json, JsonObject, ToolDefinition } from 'toolwright'
import { candidatesFor, listed, type Candidate } from './candidates.ts'
import type { Now } from './dates.ts'
import { mentionsIn, overlap, type Mention } from './mentions.ts'
import { completed, parametersOf, withValueAt } from './parameters.ts'
import { wordsOf } from './words.ts'

export interface Sentence {
  readonly text: string
  readonly now: Now
  /** Values not to be used again: the tool refused them. */
  readonly refused?: readonly Json[]
}

export interface Filled {
  /** The arguments of each call: "in Berlin and in Paris" are two. */
  readonly calls: readonly JsonObject[]
  /** Paths of required parameters that the sentence does not give. */
  readonly missing: readonly (readonly string[])[]
  /** How many parameters got a value. */
  readonly count: number
  /** A value counts from now. */
  readonly needsNow: boolean
}

export function fillArguments({ name, inputSchema }: ToolDefinition, sentence: Sentence): Filled {
  const parameters = parametersOf(inputSchema)
  const known = new Set([...wordsOf(name), ...parameters.flatMap((each) => [...each.name])])
  const mentions = mentionsIn(sentence.text, sentence.now, known)
  const candidates = parameters
    .flatMap((parameter) => candidatesFor(parameter, mentions, sentence))
    .filter(({ value }) => !sentence.refused?.includes(value))
    .sort((a, b) => b.score - a.score || byPlace(a.mention, b.mention))
  const chosen: Candidate[] = []
  for (const candidate of candidates)
    if (!chosen.some((other) => excludes(other, candidate))) chosen.push(candidate)
  const given = chosen.reduce(withCandidate, {})
  const { value, missing } = completed(inputSchema, given)
  const further = furtherCandidates(chosen, candidates, sentence.text)
  return {
    calls: [value, ...further.map((candidate) => withCandidate(value, candidate))],
    missing,
    count: chosen.length,
    needsNow: chosen.some(({ mention }) => mention.relative),
  }
}

/** Earlier first, and of those that begin together the longer. */
const byPlace = (a: Mention, b: Mention): number => a.start - b.start || b.end - a.end

const withCandidate = (args: JsonObject, { parameter, value }: Candidate): JsonObject =>
  withValueAt(args, parameter.path, value)

const excludes = (taken: Candidate, { parameter, mention }: Candidate): boolean =>
  taken.parameter === parameter || overlap(taken.mention, mention)

/** Values that follow a chosen one in a list, and that no other parameter took. */
function furtherCandidates(
  chosen: readonly Candidate[],
  candidates: readonly Candidate[],
  text: string,
): readonly Candidate[] {
  const free = candidates
    .filter(({ mention }) => !chosen.some((other) => overlap(other.mention, mention)))
    .sort((a, b) => byPlace(a.mention, b.mention))
  for (const first of chosen) {
    const list = [first]
    for (const next of free)
      if (next.parameter === first.parameter && listed(text, list.at(-1)!.mention, next.mention))
        list.push(next)
    if (list.length > 1) return list.slice(1)
  }
  return []
}
