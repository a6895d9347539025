import { expect, it } from 'vitest'
import { issuesInMessage } from './issues-in-message.ts'

it('finds the fields that a message names', () => {
  const message =
    'The input does not fit tool "plan": $.stops[2]["a b"]: expected number, received "1.5 km"; $.day: missing. Correct it.'
  expect(issuesInMessage(message)).toEqual([
    { path: ['stops', 2, 'a b'], message: 'expected number, received "1.5 km"' },
    { path: ['day'], message: 'missing' },
  ])
  expect(issuesInMessage('It fits: $: no object.')).toEqual([{ path: [], message: 'no object' }])
  expect(issuesInMessage('It costs $5: too much.')).toEqual([])
})
