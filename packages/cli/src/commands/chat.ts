/** `toolwright chat`: a conversation with a model that may call your tools. */
import { command } from '../command/command.ts'
import { MCP_OPTIONS, wantedServers } from '../mcp/mcp-options.ts'

export const chat = command({
  name: 'chat',
  takes: '[prompt]',
  arity: [0, 1],
  summary: 'Chat with a model that may call your tools',
  options: {
    tools: {
      type: 'string',
      short: 't',
      value: 'file',
      multiple: true,
      help: 'Offer the tools of this file; may be given several times',
    },
    ...MCP_OPTIONS,
    model: {
      type: 'string',
      short: 'm',
      value: 'provider:name',
      help: 'Who answers: openai, anthropic, google, ollama, demo, or a name with --base-url',
    },
    'base-url': {
      type: 'string',
      value: 'address',
      help: 'A server that speaks as OpenAI does: http://127.0.0.1:8000/v1',
    },
    system: { type: 'string', short: 's', help: 'What the model is told first' },
    conversation: {
      type: 'string',
      short: 'c',
      value: 'id',
      help: 'Remember, and go on there next time; toolwright conversations lists them',
    },
    'code-mode': {
      type: 'boolean',
      help: 'The model writes programs that call the tools, instead of calling them one by one',
    },
    json: { type: 'boolean', help: 'One line of JSON for each event, for programs' },
    yes: { type: 'boolean', short: 'y', help: 'Approve whatever needs approval' },
  },
  notes: `
Without a prompt: a conversation on a terminal, else the prompt is read from stdin (as with -).
Without --model: OpenAI if OPENAI_API_KEY or OPENAI_BASE_URL is set, else Anthropic if
ANTHROPIC_API_KEY is set, else Google if GEMINI_API_KEY or GOOGLE_API_KEY is set, else Ollama if it
answers where OLLAMA_HOST says, or on this machine. Nothing else is ever chosen for you.

  toolwright chat --tools alarm-tools.ts
  answer=$(toolwright chat --tools weather.ts "What is the weather in Berlin?")
  { echo "Summarise:"; cat notes.txt; } | toolwright chat --model ollama
  toolwright chat --base-url http://127.0.0.1:8000/v1 --model qwen3
  toolwright chat --mcp 'npx -y @modelcontextprotocol/server-filesystem .' --tools weather.ts
  toolwright chat --code-mode --tools expenses.ts "Who spent more than 500?"

With a prompt, the answer goes to stdout and everything else to stderr.
Exit codes: 0 answered, 1 no answer, 2 wrong command line or file, 130 Ctrl-C.`,
  async run({ arguments: [prompt], options }, io) {
    const { runChat } = await import('../chat/run-chat.ts')
    const { tools = [], model, system, conversation, json = false, yes = false } = options
    const baseUrl = options['base-url']
    const servers = wantedServers(options)
    const how = { codeMode: options['code-mode'] ?? false, json, yes }
    const asked = { prompt, tools, servers, model, baseUrl, system, conversation, ...how }
    return runChat(asked, io)
  },
})
