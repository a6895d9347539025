import { expect, it } from 'vitest'
import { compileSchema } from './compile-schema.ts'

const cases: { readonly [format: string]: { yes: string[]; no: string[] } } = {
  'date-time': {
    yes: [
      '2026-11-15T20:18:00Z',
      '2026-11-15t20:18:00.123+05:30',
      '1998-12-31T23:59:60Z',
      '1998-12-31T15:59:60.1-08:00',
    ],
    no: [
      'soon',
      '2026-11-15',
      '2026-11-15 20:18:00Z',
      '2026-11-15T20:18:00',
      '2026-11-15T24:00:00Z',
      '2026-13-01T00:00:00Z',
    ],
  },
  date: {
    yes: ['2024-02-29', '2000-02-29', '2026-12-31'],
    no: ['2023-02-29', '1900-02-29', '2026-04-31', '2026-00-01', '26-01-01', '2026-1-1'],
  },
  time: {
    yes: ['08:30:06Z', '08:30:06.28-03:00'],
    no: ['08:30:06', '8:30:06Z', '24:00:00Z', '10:00:00+24:00'],
  },
  duration: {
    yes: ['P4DT12H30M5S', 'PT1M', 'P2W', 'P1Y'],
    no: ['P', 'PT', 'P1D2H', '4D', 'P2W1D'],
  },
  email: {
    yes: ['joe@example.com', 'a.b+c@x.co', "o'neil@mail.example.com"],
    no: ['joe', '@x.com', '.a@x.com', 'a..b@x.com', 'joe@-x.com'],
  },
  hostname: {
    yes: ['example.com', 'x', 'a-b.c1'],
    no: ['', '-a.com', 'a_b', 'a..b', `${'a'.repeat(64)}.com`],
  },
  ipv4: {
    yes: ['127.0.0.1', '255.255.255.255'],
    no: ['1.2.3', '1.2.3.4.5', '256.1.1.1', '01.2.3.4', '1.2.3.4.'],
  },
  ipv6: {
    yes: ['::1', '::', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4', 'fe80::a'],
    no: ['1::2::3', '12345::', ':1', '1:2:3:4:5:6:7', '::g', '1.2.3.4'],
  },
  uri: {
    yes: ['https://example.com/a?b=c#d', 'urn:isbn:1', 'http://[::1]:80/', 'mailto:a@b.c'],
    no: [
      '/a',
      'a b:c',
      'http://a b/',
      'http://x/%zz',
      'http://[::1/',
      '1http://x',
      'https://x/{a}',
    ],
  },
  uuid: {
    yes: ['2EB8AA08-aa98-11ea-b4aa-73b441d16380'],
    no: ['2eb8aa08aa9811eab4aa73b441d16380', '2eb8aa08-aa98-11ea-b4aa-73b441d1638'],
  },
  regex: { yes: ['^a+$'], no: ['(', '[b-a]'] },
}

it.each(Object.entries(cases))('%s', (format, { yes, no }) => {
  const accepts = (text: string): boolean => compileSchema({ format }).check(text).ok
  expect(yes.filter((text) => !accepts(text))).toEqual([])
  expect(no.filter(accepts)).toEqual([])
  expect(compileSchema({ format }).check(1).ok).toBe(true)
})

it('long text is refused without long work', () => {
  for (const format of Object.keys(cases)) {
    for (const text of [
      'a'.repeat(100_000) + '!',
      '1:'.repeat(50_000),
      'a.'.repeat(50_000) + '@',
      '"'.repeat(100_000),
      '%41'.repeat(30_000) + ' ',
    ]) {
      compileSchema({ format }).check(text)
    }
  }
})
