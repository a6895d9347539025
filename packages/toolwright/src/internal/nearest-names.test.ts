import { describe, expect, it } from 'vitest'
import { didYouMean, nearestNames } from './nearest-names.ts'

const NAMES = ['setAlarm', 'getWeather', 'get_time', 'deleteEverything']

describe('nearestNames', () => {
  it('forgives case, separators and a few letters', () => {
    expect(nearestNames('set_alarm', NAMES)[0]).toBe('setAlarm')
    expect(nearestNames('SETALRAM', NAMES)[0]).toBe('setAlarm')
    expect(nearestNames('getTime', NAMES)[0]).toBe('get_time')
  })

  it('finds a name inside another, best first, at most three', () => {
    expect(nearestNames('weather', NAMES)).toEqual(['getWeather'])
    expect(nearestNames('abcde', ['abcdx', 'abcde1', 'abcd', 'abxde', 'abcdef'])).toHaveLength(3)
  })

  it('suggests nothing that is far off, and nothing for names without letters', () => {
    expect(nearestNames('photosynthesis', NAMES)).toEqual([])
    expect(nearestNames('setAlarm', ['---', 'x'])).toEqual([])
    expect(nearestNames('', NAMES)).toEqual([])
  })

  it('stays quick for names of any length', () => {
    expect(nearestNames('x'.repeat(1_000_000), NAMES)).toEqual([])
  })
})

describe('didYouMean', () => {
  it('is a sentence, or nothing', () => {
    expect(didYouMean('setAlarn', NAMES)).toBe(' Did you mean "setAlarm"?')
    expect(didYouMean('photosynthesis', NAMES)).toBe('')
  })
})
