/** `toolwright chat` as a script uses it: one question, and a conversation. What else it can do: chat.matrix.test.ts. */
import { describe, expect, it } from 'vitest'
import { BERLIN, chatDesk, saying, WEATHER } from './chat-desk.ts'

const LOUD = `console.log('loaded')\n${WEATHER}`

describe('one question', () => {
  it('gives the answer alone on stdout, whatever the model says first and the tools print', async () => {
    const desk = await chatDesk({
      tools: LOUD,
      turns: [{ text: ['Let me look. '], ...BERLIN }, saying('It is ', 'sunny.')],
    })
    expect(await desk.run(['How is Berlin?'])).toEqual({
      stdout: 'It is sunny.\n',
      stderr:
        'loaded\n→ getWeather {"city":"Berlin"}\nlooking up\n← getWeather: Sunny in Berlin\n40 tokens in, 20 out\n',
      exitCode: 0,
    })
  })
})

describe('a conversation', () => {
  it('is remembered from one process to the next, tools and all', async () => {
    const desk = await chatDesk({
      tools: WEATHER,
      turns: [BERLIN, saying('Sunny.'), saying('Berlin.')],
    })
    await desk.run(['--conversation', 'Trip', 'How is Berlin?'])
    const { stdout } = await desk.run(['--conversation', 'Trip', 'Which city was it?'])
    expect(stdout).toBe('Berlin.\n')
    for (const said of ['How is Berlin?', 'Sunny in Berlin', 'Which city was it?'])
      expect(desk.lastRequest()).toContain(said)
    expect(desk.server.violations).toEqual([])
    await desk.run(['--conversation', 'other', 'Hi'])
    expect(desk.lastRequest()).not.toContain('How is Berlin?')
  })
})
