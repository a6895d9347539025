/** Tools that the tests serve, in their own process and in others. */
import { tool } from 'toolwright'

export const addition = {
  name: 'add',
  description: 'Adds two numbers',
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  execute: ({ a, b }: { readonly a: number; readonly b: number }) => ({ sum: a + b }),
} as const

/** A tool that needs approval, and says what it did. */
export const deletion = (done: (path: string) => void) =>
  tool({
    name: 'deleteFile',
    description: 'Deletes a file',
    input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    hints: { destructive: true },
    execute: ({ path }: { readonly path: string }) => {
      done(path)
      return `deleted ${path}`
    },
  })
