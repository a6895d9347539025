import { afterEach, describe, expect, it, vi } from 'vitest'
import { decorators } from './decorators.ts'

const DECORATED = `
const kept = []
const note = (value, { name }) => void kept.push(name)
class Alarm {
  @note setAlarm() { return Alarm.name }
  @note #secret() {}
}
const later = 1n ** 2n
`
const transform = (code: string, id = '/src/alarm.ts') => decorators().transform(code, id)

describe('the Vite plugin', () => {
  it('rewrites decorators, and only those', async () => {
    const { code, map } = (await transform(DECORATED))!
    const run = new Function(`${code}; return { Alarm, kept }`)
    const { Alarm, kept } = run() as { Alarm: new () => { setAlarm(): string }; kept: string[] }
    expect(kept).toEqual(['setAlarm', '#secret'])
    expect(new Alarm().setAlarm()).toBe('Alarm')
    expect(code).toContain('1n ** 2n')
    expect(JSON.parse(map)).toMatchObject({ sources: ['/src/alarm.ts'] })
  })

  it('knows decorators wherever they stand, and JSX', async () => {
    for (const decorated of [
      'class A { @a.b() c() {} }',
      '@a class A {}',
      'x = @(a) class {}',
      '/* x */ @a class A {}',
      'export @a class A {}',
    ])
      expect((await transform(decorated))?.code).not.toMatch(/@[a(]/)
    const jsx = await transform('class A { @b c() { return <p/> } }', '/src/page.tsx?v=1')
    expect(jsx?.code).toContain('<p />')
  })

  it('leaves everything else alone', async () => {
    expect(
      await transform('/** @example x */\n// @ts-ignore\nconst mail = "a@b.org"'),
    ).toBeUndefined()
    expect(await transform(DECORATED, '/node_modules/alarm/index.js')).toBeUndefined()
    expect(await transform('@media print {}', '/src/page.css')).toBeUndefined()
  })

  describe('without esbuild', () => {
    afterEach(() => vi.doUnmock('esbuild'))

    it('says what to install', async () => {
      vi.doMock('esbuild', () => {
        throw new Error('not found')
      })
      await expect(transform(DECORATED)).rejects.toThrow('npm install --save-dev esbuild')
    })
  })
})
