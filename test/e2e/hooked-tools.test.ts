import { describe, expect } from 'vitest'
import { tool } from 'toolwright'
import { scenario, toldByTools } from './scenario.ts'

const extra = tool({ name: 'extra', description: 'Added by a hook', execute: () => 'extra' })
const risky = tool({
  name: 'risky',
  description: 'Needs consent',
  approval: true,
  execute: () => 'done',
})

describe('tools that a hook adds to a round', () => {
  scenario('run, and do not stand in the way of a resume', {
    tools: () => [risky],
    client: () => ({
      toolCalling: {
        beforeRound: (request) => {
          const { prompt } = request
          const tools = [...(prompt.options?.tools ?? []), extra]
          return { ...request, prompt: { ...prompt, options: { ...prompt.options, tools } } }
        },
      },
    }),
    script: [
      { toolCalls: [{ name: 'extra' }, { name: 'risky' }] },
      { toolCalls: [{ name: 'extra' }] },
      'Done.',
    ],
    resume: [(suspended) => ({ [suspended.pending![0]!.callId]: 'approve' })],
    check({ legs, prompts, result }) {
      expect(Object.keys(legs[0]!.result!.state!.tools)).toEqual(['risky'])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'extra' }, { content: 'done' }])
      expect(result.status).toBe('done')
    },
  })
})
