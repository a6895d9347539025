/** Cycles of rooms are found however long they are, and what the table allows is none. */
import { describe, expect, it } from 'vitest'
import type { CruisedModule } from './cruise.ts'
import { roomCycles } from './room-cycles.ts'

const src = 'packages/toolwright/src'

/** `a/x → b/y`, with `type` in front for an import of types. */
function modules(...imports: readonly string[]): CruisedModule[] {
  return imports.map((line) => {
    const [, type, from, to] = /^(type )?(\S+) → (\S+)$/.exec(line)!
    const dependencyTypes = type ? ['local', 'type-only'] : ['local']
    return {
      source: `${src}/${from}.ts`,
      dependencies: [{ resolved: `${src}/${to}.ts`, dependencyTypes }],
    }
  })
}

describe('roomCycles', () => {
  it('finds none in layers', () => {
    expect(roomCycles(modules('tools/a → schema/b', 'schema/b → messages/c'))).toEqual([])
  })

  it('finds rooms that need each other, also through others and for types only', () => {
    const found = roomCycles(
      modules('tools/a → schema/b', 'schema/c → messages/d', 'type messages/e → tools/f'),
    )
    expect(found).toEqual([
      {
        rooms: ['messages', 'schema', 'tools'],
        examples: [
          'messages/e.ts → tools/f.ts',
          'schema/c.ts → messages/d.ts',
          'tools/a.ts → schema/b.ts',
        ],
      },
    ])
  })

  it('tells two cycles apart, and providers from each other', () => {
    const found = roomCycles(
      modules(
        'tools/a → schema/b',
        'schema/b → tools/a',
        'providers/openai/a → providers/wire/b',
        'providers/wire/b → providers/openai/a',
        'tools/a → providers/wire/b',
      ),
    )
    expect(found.map(({ rooms }) => rooms)).toEqual([
      ['schema', 'tools'],
      ['providers/openai', 'providers/wire'],
    ])
  })

  it('leaves out tests, what is inside a room, and the types that the table allows', () => {
    const allowed = modules(
      'tools/a → schema/b',
      'schema/b.test → tools/a',
      'tools/a → tools/inner/b',
      'tools/inner/b → tools/a',
      'tool-calling/a → run/settings',
      'type run/settings → tool-calling/a',
    )
    expect(roomCycles(allowed)).toEqual([])
    expect(roomCycles([...allowed, ...modules('run/b → tool-calling/a')])).toHaveLength(1)
  })
})
