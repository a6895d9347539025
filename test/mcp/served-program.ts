/** A program that serves tools by `serveTools()`, over stdin and stdout or, with `http`, at an address that it prints. */
import { appendFileSync, existsSync } from 'node:fs'
import { serveTools } from '@toolwright/mcp'
import { tool } from 'toolwright'

const log = (line: string): void => appendFileSync(process.env.CALL_LOG!, `${line}\n`)
const text = { type: 'string' } as const

const add = tool({
  name: 'add',
  description: 'Adds two numbers',
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  hints: { readOnly: true },
  execute: ({ a, b }: { readonly a: number; readonly b: number }) => ({ sum: a + b }),
})

const count = tool({
  name: 'count',
  description: 'Counts to three',
  input: { type: 'object', properties: {} },
  async *execute() {
    for (const step of [1, 2, 3]) {
      yield { progress: step, total: 3 }
      await heard(step)
    }
    return 'counted'
  },
})

/** The SDK's clients lose progress that comes together with the result, so that each step waits until it was heard. */
async function heard(step: number): Promise<void> {
  while (!existsSync(`${process.env.CALL_LOG!}.${step}`))
    await new Promise((resolve) => setTimeout(resolve, 5))
}

const wait = tool({
  name: 'wait',
  description: 'Waits until it is told to stop',
  input: { type: 'object', properties: {} },
  execute: (_input: unknown, { signal, progress }) => {
    progress({ progress: 1 })
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        log('stopped')
        reject(signal.reason as Error)
      }),
    )
  },
})

const deleteFile = tool({
  name: 'deleteFile',
  description: 'Deletes a file',
  input: { type: 'object', properties: { path: text }, required: ['path'] },
  hints: { destructive: true },
  execute: ({ path }: { readonly path: string }) => {
    log(`deleted ${path}`)
    return `deleted ${path}`
  },
})

const served = serveTools([add, count, wait, deleteFile], { name: 'served', version: '1.0.0' })
if (process.argv[2] === 'http') console.log((await served.listen({ port: 0 })).url)
else await served.stdio()
