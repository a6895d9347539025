/** What a model gives a tool that is a client or an agent: the task, in words. */
export const PROMPT_INPUT = {
  type: 'object',
  properties: {
    prompt: { type: 'string', description: 'The task, with everything needed to do it' },
  },
  required: ['prompt'],
} as const
