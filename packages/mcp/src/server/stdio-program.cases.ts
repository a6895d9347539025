/** A program that serves tools over stdio, for tests that start it. */
import { tool } from 'toolwright'
import { serveTools } from '@toolwright/mcp'

const input = { type: 'object', properties: {} } as const

const tools = [
  tool({
    name: 'add',
    description: 'Adds',
    input: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    output: { type: 'number' },
    execute: ({ a, b }: { a: number; b: number }) => a + b,
  }),
  tool({
    name: 'deleteFile',
    description: 'Deletes a file',
    input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    hints: { destructive: true },
    execute: ({ path }: { path: string }) => `deleted ${path}`,
  }),
  tool({
    name: 'greet',
    description: 'Greets',
    input,
    execute: (_input: unknown, context) => `Hello ${String(context.suspend('Who are you?'))}`,
  }),
  tool({
    name: 'steps',
    description: 'Reports',
    input,
    execute: (_input: unknown, { progress }) => {
      for (const step of [1, 2, 3]) progress({ progress: step, total: 3 })
      return 'done'
    },
  }),
  tool({
    name: 'waits',
    description: 'Waits until it is aborted',
    input,
    execute: (_input: unknown, { signal }) =>
      new Promise((_resolve, reject) => {
        process.stderr.write('waiting\n')
        signal.addEventListener('abort', () => {
          process.stderr.write('aborted\n')
          reject(signal.reason as Error)
        })
      }),
  }),
]

await serveTools(tools, { name: 'stdio-test', version: '1.0.0', instructions: 'Be kind.' }).stdio()
process.stderr.write('client left\n')
