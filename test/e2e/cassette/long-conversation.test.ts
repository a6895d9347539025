/** The cassette of a long conversation that is kept here: it plays, and recording it again gives the same bytes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { KEPT, longConversation } from './long-conversation.ts'

const kept = readFileSync(KEPT, 'utf8')

it.each(['call', 'stream'] as const)('plays in %s', async (mode) => {
  const answers = await longConversation(KEPT, { cassette: 'replay', mode })
  expect(answers).toHaveLength(12)
  expect(answers.at(-2)).toBe('The train is paid, the hotel is not.')
})

it.each(['call', 'stream'] as const)(
  'is the same when it is recorded again in %s',
  async (mode) => {
    const folder = mkdtempSync(join(tmpdir(), 'long-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'again.cassette.json')
    await longConversation(file, { cassette: 'record', mode })
    expect(readFileSync(file, 'utf8')).toBe(kept)
  },
)

it('holds no secret, no digits of times, and no message twice for each round', () => {
  for (const secret of ['hunter2', 'sk-abc', 'abcdef123456']) expect(kept).not.toContain(secret)
  expect(kept).not.toMatch(/\d{4}-\d\d-\d\dT|run_|state_/)
  expect(kept.match(/How warm will it be in Rome/g)).toHaveLength(1)
  expect(Buffer.byteLength(kept)).toBeLessThan(100_000)
})
