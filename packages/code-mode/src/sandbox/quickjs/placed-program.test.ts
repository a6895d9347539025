/** The host believes nothing that comes out of a place. */
import { describe, expect, it } from 'vitest'
import { programOf } from '../../testing/drive-program.ts'
import { readOutbox } from './outbox.ts'
import { PlacedProgram } from './placed-program.ts'
import type { Answer } from './places.ts'

const RULES = { nextIndex: 3, room: 2, valueBytes: 10, lines: 5 }
const STACK = '    at f (program.ts:2:1)\n'

describe('an outbox', () => {
  it('holds calls and console lines, in order', () => {
    const text = `C4,2;warnhiT4,2,${STACK.length};echo{}${STACK}S11,3,0;searchTools"q"C3,0;log`
    expect(readOutbox(text, RULES)).toEqual({
      calls: [
        { index: 3, kind: 'tool', name: 'echo', arguments: '{}', line: 2 },
        { index: 4, kind: 'search', name: 'searchTools', arguments: '"q"' },
      ],
      console: [
        { level: 'warn', text: 'hi' },
        { level: 'log', text: '' },
      ],
    })
    expect(readOutbox('', RULES)).toEqual({ calls: [], console: [] })
  })

  it('shows only lines that the code has', () => {
    for (const line of ['0', '6', '999999999999', '-2', 'x']) {
      const stack = `(program.ts:${line}:1)`
      const { calls } = readOutbox(`T1,2,${stack.length};a{}${stack}`, RULES)!
      expect(calls[0]).not.toHaveProperty('line')
    }
  })

  for (const [what, text] of Object.entries({
    'an unknown letter': 'X1,1;ab',
    'no header': 'hello',
    'a length past the end': 'T4,20,0;echo{}',
    'a negative length': 'T-4,2,0;echo{}',
    'a length of many digits': 'T99999999999999999999,2,0;echo{}',
    'a call without its third length': 'T4,2;echo{}',
    'a line with a third length': 'C3,2,0;loghi',
    'an unknown level': 'C5,2;fatalhi',
    'more calls than may be open': 'T1,2,0;a{}T1,2,0;a{}T1,2,0;a{}',
    'arguments that are too long': 'T1,11,0;a12345678901',
    'something after the last frame': 'C3,2;loghi!',
  }))
    it(`is refused: ${what}`, () => expect(readOutbox(text, RULES)).toBeUndefined())
})

/** A program whose place answers as it is told. */
function placed(...answers: readonly unknown[]) {
  const left = [...answers]
  const did: string[] = []
  const program = new PlacedProgram({
    program: programOf('return 1', { limits: { openCalls: 2, valueBytes: 100 } }),
    place: {
      ask: async () => left.shift() as Answer,
      drop: () => void did.push('drop'),
      condemn: () => void did.push('condemn'),
    },
    onGone: () => void did.push('gone'),
  })
  return { program, did }
}

const QUIET = { outbox: '', fuel: 0 }
const NO = { name: 'Error', message: 'no' }

describe('a place that answers wrong', () => {
  for (const [what, turn] of Object.entries({
    'no text': { outbox: 1, fuel: 0 },
    'a bad frame': { outbox: 'T9', fuel: 0 },
    'too many calls': { outbox: 'T1,2,0;a{}'.repeat(3), fuel: 0 },
    'no fuel': { outbox: '', fuel: 'x' },
    'no turn': undefined,
    'an end that is none': { ...QUIET, end: 'over' },
    'an end of an unknown kind': { ...QUIET, end: { ok: false, kind: 'bored', error: NO } },
    'an end that says neither': { ...QUIET, end: { kind: 'thrown', error: NO } },
    'a result that is no text': { ...QUIET, end: { ok: true, json: { a: 1 } } },
    'a result that is too long': { ...QUIET, end: { ok: true, json: 'x'.repeat(101) } },
    'an end without an error': { ...QUIET, end: { ok: false, kind: 'thrown' } },
    'an error without words': { ...QUIET, end: { ok: false, kind: 'thrown', error: { name: 'E', message: 1 } } }, // prettier-ignore
    'an error of too many words': { ...QUIET, end: { ok: false, kind: 'thrown', error: { ...NO, message: 'x'.repeat(100_001) } } }, // prettier-ignore
    'an error in no line': { ...QUIET, end: { ok: false, kind: 'thrown', error: { ...NO, line: '1' } } }, // prettier-ignore
    'failures that are no list': { ...QUIET, unhandled: { length: 1 } },
    'failures that are no errors': { ...QUIET, unhandled: [NO, null] },
    'too many failures': { ...QUIET, unhandled: Array.from({ length: 21 }, () => NO) },
  }))
    it(`is not used again, and its program ends: ${what}`, async () => {
      const { program, did } = placed({ turns: [turn] })
      const { end } = await program.start()
      expect(end).toMatchObject({ ok: false, kind: 'broken' })
      expect(did).toEqual(['condemn', 'drop', 'gone'])
      const [after] = await program.deliver([{ index: 0, ok: true }])
      expect(after!.end).toMatchObject({ ok: false, kind: 'lost' })
    })

  it('cannot hand fuel back', async () => {
    const { program } = placed(
      { turns: [{ outbox: 'T1,2,0;a{}', fuel: 5 }] },
      { turns: [{ outbox: '', fuel: 4 }] },
    )
    await program.start()
    const [turn] = await program.deliver([{ index: 0, ok: true }])
    expect(turn!.end).toMatchObject({ kind: 'broken' })
  })

  it('has its calls numbered by the host, whatever they were', async () => {
    const { program } = placed(
      { turns: [{ outbox: 'T1,2,0;a{}', fuel: 0 }] },
      { turns: [{ outbox: 'T1,2,0;b{}T1,2,0;c{}', fuel: 0 }] },
    )
    expect((await program.start()).calls.map(({ index }) => index)).toEqual([0])
    const [turn] = await program.deliver([{ index: 0, ok: true }])
    expect(turn!.calls.map(({ index, name }) => [index, name])).toEqual([
      [1, 'b'],
      [2, 'c'],
    ])
  })
})
