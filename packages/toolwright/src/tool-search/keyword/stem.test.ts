import { describe, expect, it } from 'vitest'
import { stem } from './stem.ts'

describe('stem', () => {
  // Words of the algorithm's own paper, step by step.
  it.each([
    ['caresses', 'caress'], ['ponies', 'poni'], ['cats', 'cat'], ['feed', 'feed'], ['agreed', 'agre'],
    ['plastered', 'plaster'], ['motoring', 'motor'], ['sing', 'sing'], ['conflated', 'conflat'],
    ['hopping', 'hop'], ['falling', 'fall'], ['filing', 'file'], ['happy', 'happi'], ['sky', 'sky'],
    ['relational', 'relat'], ['conditional', 'condit'], ['digitizer', 'digit'], ['operator', 'oper'],
    ['hopefulness', 'hope'], ['formality', 'formal'], ['triplicate', 'triplic'], ['electrical', 'electr'],
    ['revival', 'reviv'], ['adjustment', 'adjust'], ['adoption', 'adopt'], ['probate', 'probat'],
    ['rate', 'rate'], ['controlling', 'control'], ['roll', 'roll'],
  ])('takes %s to %s', (word, stemmed) => {
    expect(stem(word)).toBe(stemmed)
  }) // prettier-ignore

  it('brings the forms of a word together', () => {
    expect(new Set(['calculate', 'calculates', 'calculating', 'calculation'].map(stem)).size).toBe(
      1,
    )
  })

  it('leaves other alphabets, numbers and short words alone', () => {
    expect(['погода', '東京', 'mp3', '42', 'is'].map(stem)).toEqual([
      'погода',
      '東京',
      'mp3',
      '42',
      'is',
    ])
  })
})
