/** The prompts that the conformance suite asks for. */
import type { ServedPrompt } from '@toolwright/mcp'
import { base64Of, RED_PIXEL } from './fixture-content.ts'

export const fixturePrompts: readonly ServedPrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'A prompt without arguments',
    get: () => 'This is a simple prompt for testing.',
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments',
    arguments: [
      {
        name: 'arg1',
        description: 'First test argument',
        required: true,
        complete: (typed) => ['test', 'testing', 'paris'].filter((word) => word.startsWith(typed)),
      },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource in it',
    arguments: [
      { name: 'resourceUri', description: 'URI of the resource to embed', required: true },
    ],
    get: ({ resourceUri = '' }) => [
      {
        role: 'user',
        content: [
          {
            type: 'file',
            name: resourceUri,
            mediaType: 'text/plain',
            data: base64Of('Embedded resource content for testing.'),
          },
          { type: 'text', text: 'Please process the embedded resource above.' },
        ],
      },
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'A prompt with a picture in it',
    get: () => [
      {
        role: 'user',
        content: [{ type: 'image', mediaType: 'image/png', data: RED_PIXEL }],
      },
      { role: 'user', content: 'Please analyze the image above.' },
    ],
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'A prompt that asks first',
    get: (_given, { suspend }) => {
      const answer = suspend({
        mode: 'several',
        requests: {
          user_context: {
            message: 'What context should the prompt use?',
            requestedSchema: {
              type: 'object',
              properties: { context: { type: 'string' } },
              required: ['context'],
            },
          },
        },
      })
      return `Use this context: ${JSON.stringify(answer)}`
    },
  },
]
