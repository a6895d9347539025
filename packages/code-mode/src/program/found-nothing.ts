/** What the model is told of a search that found nothing: an empty list alone does not say what to try, and code that takes the first of it fails elsewhere. */

/** In the words of tool search outside of programs. `query`: as JSON. */
export const foundNothing = (query: string): string =>
  `${FOUND_NOTHING} ${cut(query)}. Search again in other words: one capability per query, as a verb and its object, e.g. "send an email". If that finds nothing either, there is no such tool.`

/** Whether there is room for it: a loop of searches must not fill the state. */
export const hasRoomFor = (note: string, notes: readonly string[]): boolean =>
  !note.startsWith(FOUND_NOTHING) ||
  (!notes.includes(note) && notes.filter((each) => each.startsWith(FOUND_NOTHING)).length < MOST)

const FOUND_NOTHING = 'searchTools found nothing for'
const MOST = 3
const LONGEST = 100

const cut = (query: string): string =>
  query.length <= LONGEST ? query : `${query.slice(0, LONGEST - 1).toWellFormed()}…`
