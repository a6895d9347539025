/**
 * A chat with somebody else's server: it reads a folder as it likes, and is asked before it writes. The server is a program
 * from npm; `npx -y @modelcontextprotocol/server-filesystem <folder>` is the same without installing it.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mcpTools } from '@toolwright/mcp'
import { ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const folder = await realpath(await mkdtemp(join(tmpdir(), 'notes-')))
await writeFile(join(folder, 'notes.txt'), 'Buy bread.\n')
const program = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/dist/index.js',
)

// Stands for a language model.
const model = scriptedModel([
  { toolCalls: [{ name: 'read_text_file', arguments: { path: join(folder, 'notes.txt') } }] },
  { toolCalls: [{ name: 'write_file', arguments: { path: join(folder, 'done.txt'), content: 'Bread is bought.' } }] }, // prettier-ignore
  'I read your notes, and wrote down that bread is bought.',
])

{
  await using files = mcpTools(
    { command: process.execPath, args: [program, folder] },
    { include: (name) => /read_text|write|list_dir/.test(name) },
  )
  const client = ChatClient.create(model, { tools: [files] })

  const asked = await client
    .prompt('Read my notes, and write down that it is done.')
    .call()
    .result()
  const [call] = asked.pending!
  console.log(`waits: ${call!.toolName} ${(call!.input as { content: string }).content}`)
  await assert.rejects(readFile(join(folder, 'done.txt')))

  const answer = await client
    .resume(asked.state!, { [call!.callId]: 'approve' })
    .call()
    .content()
  console.log(answer)
}
assert.equal(await readFile(join(folder, 'done.txt'), 'utf8'), 'Bread is bought.')
await rm(folder, { recursive: true })
