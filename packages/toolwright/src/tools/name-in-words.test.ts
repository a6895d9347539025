import { expect, it } from 'vitest'
import { nameInWords } from './name-in-words.ts'

it('says a name in words', () => {
  const NAMES: Record<string, string> = {
    getCurrentWeather: 'get current weather',
    get_current_weather: 'get current weather',
    'get-current.weather': 'get current weather',
    parseHTMLPage: 'parse html page',
    getV2Users: 'get v2 users',
    x: 'x',
    '': '',
    größeÄndern: 'größe ändern',
  }
  for (const [name, words] of Object.entries(NAMES)) expect(nameInWords(name), name).toBe(words)
})
