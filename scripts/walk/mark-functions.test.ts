/** Marks are found where functions begin, and change nothing else. */
import { expect, it } from 'vitest'
import { ENTER, markFunctions, type MarkedFunction } from './mark-functions.ts'

const SOURCE = `
const pair = (left) => (right) => ({ left, right })
class Counter {
  #count = 0
  get count() { return this.#count }
  add(by = 1) { this.#count += by }
}
async function* numbers() { yield* [1, 2].map((n) => n * 2) }
const counter = new Counter()
counter.add(pair(3)(4).left)
const read = []
for await (const n of numbers()) read.push(n)
return { read, count: counter.count }
`

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...args: string[]
) => (enter: (id: number) => void) => Promise<unknown>

it('notes every function as it is entered, and leaves what the code does as it was', async () => {
  const functions: MarkedFunction[] = []
  const marked = markFunctions(SOURCE, 'file.ts', functions)
  const entered: string[] = []
  const result = await new AsyncFunction(ENTER, marked)((id) => {
    entered.push(`${functions[id]!.line} ${functions[id]!.name}`)
  })
  expect(result).toEqual({ read: [2, 4], count: 3 })
  expect(entered).toEqual([
    '2 pair',
    '2 (anonymous)',
    '6 add',
    '8 numbers',
    '8 (anonymous)',
    '8 (anonymous)',
    '5 count',
  ])
})

it('leaves declarations without a body alone', () => {
  const declared = 'declare function f(): void\nabstract class A { abstract g(): void }'
  expect(markFunctions(declared, 'file.ts', [])).toBe(declared)
})
