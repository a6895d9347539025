/** Answers of every dialect, cut off after every byte. */
import { describe, it } from 'vitest'
import { expectWholeOrError } from './cut-answers.ts'
import { EVERY_WAY } from './dialects.ts'

describe.each(EVERY_WAY)('%s, by %s', (...way) => {
  it.each(['ends', 'breaks'] as const)('is whole or an error when it %s at any byte', (end) =>
    expectWholeOrError(way, end, 1),
  )
})
