/** What `toolwright cassette` writes is run by the real vitest, in a project of its own: it passes as it is. */
import { join } from 'node:path'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { traceFile } from 'toolwright/trace'
import { expect, it } from 'vitest'
import { CONVERSATION, cassetteProject } from './cassette-project.ts'

it('tests pass as they are, with and without the tools, and fail when a tool changes', async () => {
  const project = cassetteProject({ 'talk.json': JSON.stringify(CONVERSATION) })
  await project.keep('trip', CONVERSATION)
  await project.cassette('--conversation', 'trip', '--tools', 'tools.ts')
  await project.cassette('talk.json', '--out', 'deep/talk')
  const passed = await project.vitest()
  expect(passed.output).toMatch(/Tests .*2 passed/)
  expect(passed.exitCode).toBe(0)

  project.write('tools.ts', project.read('tools.ts').replace('Pay somebody', 'Pay anybody'))
  const failed = await project.vitest()
  expect(failed.output).toMatch(/Tests .*1 failed.*1 passed/)
  expect(failed.output).toContain('$.tools.pay.description')
  expect(failed.output).toContain('recorded: "Pay somebody"')
  expect(failed.output).toContain('received: "Pay anybody"')
})

it('a chat of the command becomes a test', async () => {
  const project = cassetteProject({
    'clock.ts': `
      import { tool } from 'toolwright'
      export const now = tool({ name: 'currentTime', description: 'The current time', execute: () => new Date().toISOString() })
    `,
  })
  const chat = ['chat', '--model', 'demo', '--tools', 'clock.ts', '--conversation', 'time']
  expect((await project.command(...chat, 'What is the current time?')).exitCode).toBe(0)
  const written = await project.command('cassette', '-c', 'time', '-t', 'clock.ts')
  expect(written).toMatchObject({ exitCode: 0, stderr: '' })
  expect(project.read('time.cassette.json')).toContain('"tool": "currentTime"')
  const { output, exitCode } = await project.vitest()
  expect(output).toMatch(/Tests .*1 passed/)
  expect(exitCode).toBe(0)
})

it('a run of a trace becomes a test', async () => {
  const project = cassetteProject({
    'look.ts': `
      import { tool } from 'toolwright'
      export const look = tool({ name: 'look', description: 'Look', returnDirect: true, execute: () => { throw new Error('This must not run.') } })
    `,
  })
  const look = tool({
    name: 'look',
    description: 'Look',
    returnDirect: true,
    execute: () => 'Sunny',
  })
  const observer = traceFile(join(project.folder, 'chat.jsonl'), { content: true })
  const model = scriptedModel([{ toolCalls: [{ name: 'look' }] }])
  await ChatClient.create(model, { tools: [look], observer })
    .prompt('How is it?')
    .call()
    .content()
  observer.close()
  expect(await project.command('cassette', 'chat.jsonl')).toMatchObject({ exitCode: 0 })
  const own = await project.command('cassette', 'chat.jsonl', '-t', 'look.ts', '-o', 'own.test.ts')
  expect(own).toMatchObject({ exitCode: 0, stderr: '' })
  const { output, exitCode } = await project.vitest()
  expect(output).toMatch(/Tests .*2 passed/)
  expect(exitCode).toBe(0)
})
