/** `toolwright cassette`: turns a conversation into a cassette and a test that replays it. */
import { command } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { TOOLS_OPTION } from '../mcp/mcp-options.ts'

export const cassette = command({
  name: 'cassette',
  takes: '<file>',
  arity: [1, 1],
  variant: { options: ['conversation'], takes: '', arity: [0, 0] },
  summary: 'Turn a conversation into a test that replays it',
  options: {
    conversation: {
      type: 'string',
      short: 'c',
      value: 'id',
      help: 'A conversation that chat keeps, instead of a file',
    },
    run: {
      type: 'string',
      value: 'id',
      help: 'Of a trace file: only this run, by its id or the beginning of it',
    },
    tools: TOOLS_OPTION,
    out: {
      type: 'string',
      short: 'o',
      value: 'name',
      help: 'Write <name>.cassette.json and <name>.test.ts (default: named as the conversation)',
    },
    force: { type: 'boolean', help: 'Write over files that are there' },
  },
  notes: `
The conversation is one that chat keeps (--conversation), or a file of messages: what
toolwright conversations show <id> --json prints, a list of messages in JSON, or a trace file that was written
with content. Several runs in a trace are one conversation if each was sent all of the one before, as with a
memory that keeps calls and results; --run chooses one of others. The lines of chat --json hold no questions, so they cannot be used: name the conversation
with chat --conversation.

Writes a cassette, which holds what the model said and what the tools gave, without secrets, and a test for
vitest that asks the same questions and passes as it is. With --tools the test uses your tools, and fails
when their names, descriptions or schemas change; without, those that the cassette knows by name. Nothing is asked
of a model, and no tool is run.

  toolwright chat --conversation trip --tools weather.ts
  toolwright cassette --conversation trip --tools weather.ts
  npx vitest run trip.test.ts

Exit codes: 0 written; 2 wrong command line, no such conversation, or a file that cannot be used.`,

  async run({ arguments: [file], options }, io) {
    const { conversation, run, tools = [], out, force = false } = options
    if (conversation?.trim() === '')
      throw new CommandError(
        '--conversation is empty. toolwright conversations lists those there are.',
      )
    if (conversation !== undefined && run !== undefined)
      throw new CommandError('--run is for trace files. Leave it out with --conversation.')
    const source = conversation === undefined ? { file: file!, run } : { conversation }
    const { runCassette } = await import('../cassette/run-cassette.ts')
    return runCassette({ source, tools, out, force }, io)
  },
})
