/** `toolwright search`, in real processes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from './command-process.ts'
import { Project } from './project.ts'

let project: Project
beforeAll(() => {
  project = new Project({
    'tools.ts': `
import { tool } from 'toolwright'
const execute = () => 'done'
export const tools = [
  tool({ name: 'sendMail', description: 'Send a mail to somebody. Long story.', execute }),
  tool({ name: 'sendLetter', description: 'Send a letter on paper', execute }),
  tool({ name: 'getWeather', description: 'Get the weather of a city', execute }),
]`,
  })
})
afterAll(() => project.dispose())

const search = (...words: string[]) =>
  runCommand({ words: ['search', 'tools.ts', ...words], cwd: project.folder, input: '' })

describe('toolwright search', () => {
  it('lists what fits, best first, with scores', async () => {
    const { stdout, stderr, exitCode } = await search('send a mail')
    expect(stdout).toMatch(
      /^\d+\.\d\d {2}sendMail {2}Send a mail to somebody\.\n\d+\.\d\d {2}sendLetter/,
    )
    expect(stdout).not.toContain('getWeather')
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  })

  it('shows as many as asked for, and says that there are more', async () => {
    const { stdout, stderr } = await search('send a mail', '--limit', '1', '--json')
    expect(JSON.parse(stdout)).toEqual([
      { name: 'sendMail', score: expect.any(Number), summary: 'Send a mail to somebody.' },
    ])
    expect(stderr).toBe('1 more; --limit 2 shows them.\n')
  })

  it('says when nothing fits, exit code 1', async () => {
    expect(await search('zebra')).toEqual({
      stdout: '',
      stderr: 'None of 3 tools fits "zebra".\n',
      exitCode: 1,
    })
    expect(await search('zebra', '--json')).toMatchObject({ stdout: '[]\n', exitCode: 1 })
  })

  it('wants a number as its limit', async () => {
    const { stderr, exitCode } = await search('mail', '--limit', 'all')
    expect(stderr).toContain('--limit is a whole number from 1, not "all"')
    expect(exitCode).toBe(2)
  })
})
