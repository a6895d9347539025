import { expect, it } from 'vitest'
import { Pastes } from './pastes.ts'

const START = '\x1b[200~'
const END = '\x1b[201~'

it('leaves keys alone', () => {
  const pastes = new Pastes()
  expect(pastes.take('hello\x1b[A\r')).toBe('hello\x1b[A\r')
  expect(pastes.take('\x1b')).toBe('\x1b')
})

it('inserts a short line as it is, without its line break and controls', () => {
  expect(new Pastes().take(`a${START}one\ttwo\x03\x1b\r${END}b`)).toBe('aone twob')
})

it('gives several lines a name that stands for them', () => {
  const pastes = new Pastes()
  expect(pastes.take(`${START}one\r\ntwo\rthree${END}`)).toBe('[paste 1: 3 lines]')
  expect(pastes.take(`${START}x\ny${END}`)).toBe('[paste 2: 2 lines]')
  expect(pastes.expand('Sum: [paste 1: 3 lines] and [paste 2: 2 lines]')).toBe(
    'Sum: one\ntwo\nthree and x\ny',
  )
})

it('gives a long line a name, too', () => {
  const pastes = new Pastes()
  const name = pastes.take(`${START}${'$&'.repeat(5000)}${END}`)
  expect(name).toBe('[paste 1: 10000 characters]')
  expect(pastes.expand(name)).toBe('$&'.repeat(5000))
})

it('knows its marks however they are cut', () => {
  const whole = `a${START}one\ntwo${END}b`
  for (let cut = 1; cut < whole.length; cut++) {
    const pastes = new Pastes()
    const before = pastes.take(whole.slice(0, cut))
    const keys = before + pastes.take(whole.slice(cut))
    // A mark cut right after its escape cannot be told from the escape key.
    if (cut !== 2) expect(keys).toBe('a[paste 1: 2 lines]b')
  }
})

it('does not lock the user out when a paste never ends', () => {
  const pastes = new Pastes()
  expect(pastes.take(`${START}one`)).toBe('')
  expect(pastes.take('\x03')).toContain('\x03')
  expect(pastes.take('x')).toBe('x')
})
