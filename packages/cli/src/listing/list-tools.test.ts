import { tool, type JsonSchema } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { displayWidth } from '../terminal/wrap.ts'
import { listTools } from './list-tools.ts'

const book = tool({
  name: 'bookTable',
  description: 'Book a table in a restaurant near the user',
  input: {
    type: 'object',
    properties: {
      at: { type: 'string', format: 'date-time', description: 'When' },
      seats: { type: 'integer', minimum: 1, maximum: 12 },
      terrace: { type: ['boolean', 'null'] },
      tags: { type: 'array', items: { type: 'string' } },
      unit: { enum: ['c', 'f'] },
      guests: {
        type: 'array',
        description: 'Who comes',
        items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
      place: { $ref: '#/$defs/Place' },
    },
    required: ['at', 'seats'],
    $defs: {
      Place: {
        type: 'object',
        description: 'Where',
        properties: { city: { type: 'string' }, near: { $ref: '#/$defs/Place' } },
      },
    },
  } as JsonSchema,
  hints: { destructive: true },
  execute: () => 'ok',
})

describe('a listing of tools', () => {
  it('says what each takes, at every depth', () => {
    expect(listTools([book], Infinity)).toBe(`bookTable
  Book a table in a restaurant near the user
  - at: string (date-time), required: When
  - seats: integer (1 to 12), required
  - terrace: boolean | null
  - tags: string[]
  - unit: "c" | "f"
  - guests: object[]: Who comes
    - name: string, required
  - place: Place: Where
    - city: string
    - near: Place: Where
      - city: string
      - near: Place: Where
  (destructive, asks for approval)`)
  })

  it('fits a terminal of 20 columns', () => {
    const lines = listTools([book], 20).split('\n')
    for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(20)
    expect(lines.slice(0, 4)).toEqual([
      'bookTable',
      '  Book a table in a',
      '  restaurant near',
      '  the user',
    ])
  })

  it('does not let a description reach the terminal', () => {
    const evil = { ...book, definition: { ...book.definition, description: '\x1b[2Jgone\x07' } }
    expect(listTools([evil], 80)).toContain('gone␇')
    expect(listTools([evil], 80)).not.toContain('\x1b')
  })
})
