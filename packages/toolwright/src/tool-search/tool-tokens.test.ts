import { describe, expect, it } from 'vitest'
import { toolTokens } from './tool-tokens.ts'

const definition = {
  name: 'getCurrentWeather',
  description: 'Get the current weather of a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const

describe('toolTokens', () => {
  it('estimates what current tokenizers count', () => {
    // 45 with o200k_base.
    expect(toolTokens([definition])).toBeGreaterThan(36)
    expect(toolTokens([definition])).toBeLessThan(54)
    expect(toolTokens([])).toBe(0)
  })

  it('counts with the given tokenizer, a definition at a time', () => {
    const texts: string[] = []
    const tokenizer = (text: string): number => texts.push(text)
    expect(toolTokens([definition, definition], { tokenizer })).toBe(1 + 2)
    expect(JSON.parse(texts[0]!)).toMatchObject({ function: { name: 'getCurrentWeather' } })
  })
})
