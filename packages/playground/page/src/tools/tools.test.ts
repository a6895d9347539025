import { describe, expect, it } from 'vitest'
import type { ShownTool } from '../../../src/protocol/shown-tool.ts'
import { afterCallEvent, newHandCall } from './hand-call.ts'
import { parameterRows } from './parameter-rows.ts'
import { groupBySource, searchTools } from './search-tools.ts'
import { toolMarks } from './tool-marks.ts'

const shown = (name: string, more: Partial<ShownTool> = {}): ShownTool => ({
  name,
  description: '',
  source: 'a.ts',
  inputSchema: {},
  inputExamples: [],
  hints: {},
  effect: 'once',
  asks: 'never',
  isSupplied: false,
  returnDirect: false,
  tokens: 1,
  findings: [],
  ...more,
})

describe('searchTools', () => {
  const tools = [
    shown('read_file', { description: 'Reads a file.' }),
    shown('write_file', { title: 'Save', source: 'b.ts' }),
    shown('ping'),
  ]

  it('finds those that have all words, anywhere', () => {
    const names = (query: string) => searchTools(tools, query).map(({ name }) => name)
    expect(names('FILE')).toEqual(['read_file', 'write_file'])
    expect(names('file save')).toEqual(['write_file'])
    expect(names('b.ts')).toEqual(['write_file'])
    expect(names(' ')).toHaveLength(3)
  })

  it('groups them by source', () => {
    expect(groupBySource(tools).map((group) => [group.source, group.tools.length])).toEqual([
      ['a.ts', 2],
      ['b.ts', 1],
    ])
    const [group] = groupBySource([shown('pay'), shown('add')])
    expect(group?.tools.map(({ name }) => name)).toEqual(['add', 'pay'])
  })
})

describe('toolMarks', () => {
  it('says what one should know first', () => {
    const labels = (more: Partial<ShownTool>) =>
      toolMarks(shown('x', more)).map(({ label }) => label)
    expect(labels({})).toEqual([])
    expect(labels({ effect: 'read', hints: { idempotent: true } })).toEqual(['read only'])
    expect(labels({ hints: { destructive: true }, asks: 'always' })).toEqual([
      'destructive',
      'asks first',
    ])
    expect(labels({ isSupplied: true, asks: 'maybe' })).toEqual(['may ask', 'supplied'])
  })
})

describe('parameterRows', () => {
  it('names what is inside by its place, and ends in a schema that contains itself', () => {
    const rows = parameterRows({
      type: 'object',
      properties: {
        mode: { enum: ['a', 'b'], description: 'How.', default: 'a' },
        lines: {
          type: 'array',
          items: { type: 'object', properties: { sku: { type: 'string' } } },
        },
        next: { $ref: '#' },
      },
      required: ['mode'],
    })
    expect(rows.slice(0, 4).map(({ name }) => name)).toEqual([
      'mode',
      'lines',
      'lines[]',
      'lines[].sku',
    ])
    expect(rows[0]).toEqual({
      name: 'mode',
      type: 'one of 2',
      isRequired: true,
      description: 'How.',
      default: 'a',
      allowed: ['"a"', '"b"'],
    })
    expect(rows.length).toBeLessThan(100)
  })
})

describe('afterCallEvent', () => {
  const call = newHandCall({ number: 1, tool: 'x', input: {}, startedAt: 0 })
  const pending = { callId: 'c', toolName: 'x', kind: 'approval', input: {} } as const

  it('waits, is refused, is decided and ends', () => {
    const waiting = afterCallEvent(call, { seq: 1, type: 'pending', pending: [pending] })
    expect(waiting.pending).toEqual([pending])
    const error = { code: 'decision-wrong', message: 'no' }
    const refused = afterCallEvent(
      { ...waiting, deciding: ['c'] },
      { seq: 2, type: 'decision-refused', error },
    )
    expect(refused).toMatchObject({ pending: [pending], deciding: [], refusal: error })
    const decided = afterCallEvent(refused, { seq: 3, type: 'decided' })
    expect(decided).toMatchObject({ pending: [], refusal: undefined })
    const end = { seq: 4, type: 'end', status: 'done', durationMs: 5 } as const
    expect(afterCallEvent(decided, end).end).toEqual(end)
  })
})
