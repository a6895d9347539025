import { expect, it } from 'vitest'
import { stylesOf } from './styles.ts'

const RED = '\x1b[31mx\x1b[39m'

it.each([
  ['a terminal has colours', { isTTY: true, env: {}, shown: RED }],
  ['a pipe has none', { isTTY: false, env: {}, shown: 'x' }],
  ['NO_COLOR takes them', { isTTY: true, env: { NO_COLOR: '1' }, shown: 'x' }],
  ['an empty NO_COLOR says nothing', { isTTY: true, env: { NO_COLOR: '' }, shown: RED }],
  ['FORCE_COLOR gives them to a pipe', { isTTY: false, env: { FORCE_COLOR: '1' }, shown: RED }],
  ['FORCE_COLOR=0 takes them', { isTTY: true, env: { FORCE_COLOR: '0' }, shown: 'x' }],
  ['FORCE_COLOR wins', { isTTY: false, env: { FORCE_COLOR: '1', NO_COLOR: '1' }, shown: RED }],
  ['a dumb terminal has none', { isTTY: true, env: { TERM: 'dumb' }, shown: 'x' }],
])('%s', (_rule, { isTTY, env, shown }) => {
  expect(stylesOf({ isTTY }, env).red('x')).toBe(shown)
})

it('leaves nothing uncoloured', () => {
  expect(stylesOf({ isTTY: true }, {}).red('')).toBe('')
})
