import { expect, it } from 'vitest'
import { firstRows } from './first-rows.ts'
import type { TraceSection } from './trace-sections.ts'

const section = (id: string, rows: number): TraceSection => ({
  ...{ id, title: id, status: '', facts: [] },
  rows: Array.from({ length: rows }, (_none, at) => ({
    ...{ id: `${id}/${at}`, type: 'note', text: '', kind: 'plain' },
  })),
})

it('are so many of all sections together; a section that is whole is the same', () => {
  const sections = [section('a', 3), section('b', 4), section('c', 1)]
  const lengths = (most: number) => firstRows(sections, most).map(({ rows }) => rows.length)
  expect(lengths(5)).toEqual([3, 2])
  expect(lengths(3)).toEqual([3])
  expect(lengths(100)).toEqual([3, 4, 1])
  expect(firstRows(sections, 5)[0]).toBe(sections[0])
})
