/** A conversation of the playground, exported: the test that it becomes passes in a project of its own. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { cassetteProject } from './cassette-project.ts'
import { BIN, cleanEnvironment } from './command-process.ts'

const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly devDependencies: { readonly [name: string]: string } }

const TOOLS = `
import { tool } from 'toolwright'
import { z } from 'zod'

export const setAlarm = tool({
  name: 'setAlarm',
  description: 'Set a user alarm for the given time',
  input: z.object({ time: z.iso.datetime().describe('Time in ISO-8601 format') }),
  hints: { destructive: true },
  execute: ({ time }) => 'Alarm set for ' + time,
})

export const pickColour = tool({
  name: 'pickColour',
  description: 'Pick a colour',
  output: z.object({ colour: z.string() }),
})

export const confirmDelivery = tool({
  name: 'confirmDelivery',
  description: 'Confirm the delivery',
  execute: (_input, context) => 'The customer says: ' + context.suspend('Will you be at home?'),
})
`

const SYSTEM = 'Talk like a sailor.'
/** What is asked, and what is decided about the call that comes of it. */
const TURNS = [
  ['Set an alarm for 2030-01-01T06:00:00Z', 'approve'],
  ['Set an alarm for 2031-01-01T06:00:00Z', { edit: { time: '2031-01-01T07:00:00Z' } }],
  ['Set an alarm for 2032-01-01T06:00:00Z', { deny: 'not then' }],
  ['Pick a colour', { result: { colour: 'red' } }],
  ['Confirm the delivery', { answer: 'yes' }],
] as const

interface Exported {
  readonly files: readonly { readonly name: string; readonly text: string }[]
}

it('exports a conversation with decisions of all kinds, and what the model was told first, as a test that passes', async () => {
  const project = cassetteProject({ 'tools.ts': TOOLS })
  const env = cleanEnvironment({ TOOLWRIGHT_HOME: `${project.folder}/home` })
  const words = ['playground', 'tools.ts', '--model', 'demo', '--system', SYSTEM]
  const child = spawn(process.execPath, [BIN, ...words], { cwd: project.folder, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  const url = new URL(line.trim())
  const headers = {
    'x-toolwright-token': url.searchParams.get('token')!,
    'content-type': 'application/json',
  }
  const ask = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const asked = body && { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(new URL(path, url), { headers, ...asked })
    expect(answer.ok, await answer.clone().text()).toBe(true)
    return (await answer.json().catch(() => undefined)) as Answer
  }
  const { id } = await ask<{ id: string }>('/api/conversations', {})
  const at = `/api/conversations/${id}`
  const status = async (wanted: string): Promise<void> => {
    for (;;) {
      const { row } = await ask<{ row: { status: string } }>(at)
      if (row.status === wanted) return
      await pause(20)
    }
  }
  for (const [index, [text, decision]] of TURNS.entries()) {
    await ask(`${at}/turns`, { requestId: `asked ${index}`, text, model: 'demo' })
    await status('waiting')
    const { waiting } = await ask<{ waiting: { pending: { callId: string }[] }[] }>('/api/inbox')
    const decisions = { [waiting[0]!.pending[0]!.callId]: decision }
    await ask(`${at}/decisions`, { requestId: `decided ${index}`, decisions })
    await status('idle')
  }
  const { files } = await ask<Exported>(`${at}/export`, {})
  expect(files.map(({ name }) => name.replace(/^.*?\./, ''))).toEqual(['cassette.json', 'test.ts'])
  // Other conversations may begin with the same question.
  expect(files.map(({ name }) => name.includes(id.slice(0, 6)))).toEqual([true, true])
  expect(files[1]!.text).toContain(SYSTEM)
  for (const file of files) project.write(file.name, file.text)
  const { output, exitCode } = await project.vitest()
  expect(output).toContain('1 passed')
  expect(exitCode).toBe(0)
  const fresh = freshProject()
  for (const { name, text } of [...files, { name: 'tools.ts', text: TOOLS }])
    writeFileSync(join(fresh, name), text)
  const ran = execFileSync('npx', ['--no-install', 'vitest', 'run'], {
    cwd: fresh,
    env: { ...cleanEnvironment(), CI: 'true' },
    encoding: 'utf8',
  })
  expect(ran).toContain('1 passed')
})

/** A project of somebody else: the packed library, what its tests need, and nothing of this repository. */
function freshProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'exported-conversation-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const npm = (cwd: string, ...words: string[]): string =>
    execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
  // Beside the package of the command.
  const library = join(dirname(BIN), '../../../toolwright')
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const tarball = join(folder, npm(library, ...pack))
  const pins = ['vitest', 'zod'].map((name) => `${name}@${manifest.devDependencies[name]}`)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  npm(folder, 'install', ...flags, tarball, ...pins)
  return folder
}
