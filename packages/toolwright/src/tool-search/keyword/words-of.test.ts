import { describe, expect, it } from 'vitest'
import { wordsOf } from './words-of.ts'

describe('wordsOf', () => {
  it.each([
    ['getCurrentWeather', 'get current weather'],
    ['get_current-weather.v2/now', 'get current weather v2 now'],
    ['parseHTTPResponse2Json', 'parse http response2 json'],
    ['PDF&URLTool', 'pdf url tool'],
    ['3DModel', '3 d model'],
    ['Crème Brûlée', 'creme brulee'],
    ['ﬁle', 'file'],
    ['температураВоздуха', 'температура воздуха'],
    ['', ''],
  ])('cuts %j', (text, words) => {
    expect(wordsOf(text).join(' ')).toBe(words)
  })

  it('cuts plain letters the same way beside others', () => {
    const plain = 'parseHTTPResponse2Json of PDF&URLTool'
    expect(wordsOf(`${plain} é`).slice(0, -1)).toEqual(wordsOf(plain))
  })

  it('cuts scripts without spaces into pairs', () => {
    expect(wordsOf('天气预报')).toEqual(['天气', '气预', '预报'])
    expect(wordsOf('天气')).toEqual(['天气'])
    expect(wordsOf('날씨 예보')).toEqual(['날씨', '예보'])
  })

  it('leaves out what is no word', () => {
    expect(wordsOf(`key ${'a'.repeat(64)} end`)).toEqual(['key', 'end'])
  })
})
