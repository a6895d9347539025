/** A segment counts what a reader passes between two points. */
import { expect, it } from 'vitest'
import type { MarkedFunction } from './mark-functions.ts'
import { filesOf, firstEntries, isCounted, linesOf, passedBetween } from './segment.ts'
import type { Step } from './trace.ts'

const functions: readonly MarkedFunction[] = [
  { file: 'loop/loop.ts', name: 'loop', line: 1 },
  { file: 'loop/loop.ts', name: '(anonymous)', line: 2 },
  { file: 'run/run.ts', name: 'start', line: 1 },
  { file: 'run/run.ts', name: 'constructor', line: 9 },
  { file: 'schema/check.ts', name: 'check', line: 1 },
]
const entered = (id: number, depth: number): Step => ({ kind: 'function', id, depth })
const point = (name: string): Step => ({ kind: 'point', name })
const steps = [
  point('answered'),
  entered(4, 1),
  point('asked'),
  entered(2, 3),
  entered(3, 5),
  entered(0, 7),
  entered(1, 9),
  entered(4, 9),
  entered(2, 3),
  point('answered'),
  entered(0, 1),
]
const passed = passedBetween(steps, functions, { from: 'asked', to: 'answered' })

it('takes what lies between the points, each function once, in order', () => {
  expect(firstEntries(passed).map(({ marked }) => functions.indexOf(marked))).toEqual([
    2, 3, 0, 1, 4,
  ])
})

it('counts named functions of the machinery only', () => {
  const counted = firstEntries(passed).filter(isCounted)
  expect(linesOf(counted)).toEqual(['run/run.ts:start', '  loop/loop.ts:loop'])
  expect(filesOf(counted)).toBe(2)
})

it('indents a function under its caller, and no further than its siblings', () => {
  expect(linesOf(passed)).toEqual([
    'run/run.ts:start',
    '  run/run.ts:constructor',
    '    loop/loop.ts:loop',
    '      loop/loop.ts:(anonymous)',
    '      schema/check.ts:check',
    'run/run.ts:start',
  ])
})

it('says which points there were when one was not reached', () => {
  expect(() => passedBetween(steps, functions, { from: 'asked', to: 'done' })).toThrow(
    'never came to "done"; it came to: answered, asked, answered',
  )
})
