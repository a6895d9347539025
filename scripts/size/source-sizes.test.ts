/** The size report counts what a reader would count. */
import { describe, expect, it } from 'vitest'
import { functionsOf } from './source-sizes.ts'

const SOURCE = `
export async function* loop(): AsyncGenerator {
  yield 1
}
class Advisor {
  async *#loop() {
    const inner = () => {
      return 1
    }
    yield inner()
  }
}
export const advisor = { advise: function () { return 1 } }
declare function without(): void
`

describe('functionsOf', () => {
  it('finds functions, methods and arrows with their names, lines and places', () => {
    expect(functionsOf(SOURCE, 'file.ts')).toEqual([
      { name: 'loop', place: 'file.ts:2', lines: 3 },
      { name: '#loop', place: 'file.ts:6', lines: 6 },
      { name: 'inner', place: 'file.ts:7', lines: 3 },
      { name: 'advise', place: 'file.ts:13', lines: 1 },
    ])
  })
})
