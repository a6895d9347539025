/**
 * The one table of packages and doors: what each is called, where it begins, and what it may import. Build,
 * lint, exports check, size report, tests and docs read it. A new door is one row here, then `npm run doors`,
 * which writes the rest: `exports` of the package, `paths` of tsconfig.json, docs/doors.md.
 * Plain JavaScript, because eslint and dependency-cruiser load it without a compiler.
 */

/** Rooms that everybody may use, but for those they are made of themselves. */
const OPEN = ['errors', 'internal', 'ports']
/** What an adapter, a door or a testing kit builds on. */
export const CONTRACTS = ['model', 'tools', 'schema', 'messages', ...OPEN]
/** Rooms beside the chain of layers: whatever runs a conversation may use them. */
const BESIDE = ['memory', 'run', 'observation']

/**
 * The rooms of the core, each with the rooms it may import: every layer those to its right in
 * client → advisors → loop → tool-calling → model → tools → schema → messages. No room can reach itself
 * again on the way, so there are no cycles of rooms.
 *
 * @type {import('./table.d.ts').Rooms}
 */
export const ROOMS = {
  messages: { imports: [] },
  errors: { imports: [], types: ['messages'] },
  internal: { imports: ['errors', 'messages'] },
  ports: { imports: ['internal', 'errors', 'messages'] },
  schema: { imports: ['messages', ...OPEN] },
  tools: { imports: ['schema', 'messages', ...OPEN] },
  model: { imports: ['tools', 'schema', 'messages', ...OPEN] },
  // A memory may be given a model that makes summaries.
  memory: { imports: ['messages', ...OPEN], types: ['model'] },
  observation: { imports: ['messages', ...OPEN] },
  // Settings may name option types of tool calling, which are given along with them.
  run: { imports: ['observation', 'messages', ...OPEN], types: ['tool-calling'] },
  'tool-calling': { imports: [...CONTRACTS, ...BESIDE] },
  loop: { imports: ['tool-calling', ...CONTRACTS, ...BESIDE] },
  advisors: { imports: ['loop', 'tool-calling', ...CONTRACTS, ...BESIDE] },
  client: { imports: ['advisors', 'loop', 'tool-calling', ...CONTRACTS, ...BESIDE] },
}

/** Where clock, chance, network and Node may be touched directly; everywhere else they come through ports. */
export const OUTSIDE_ROOMS = [
  'ports',
  'providers/wire',
  'testing',
  'tool-search/node',
  'trace/node',
]

const ADAPTER_IMPORTS = ['providers/wire', ...CONTRACTS]
const adapter = (name, about) => ({
  path: `./${name}`,
  entry: `providers/${name}/index.ts`,
  about,
  imports: ADAPTER_IMPORTS,
})

/** Rooms behind doors that nobody enters from outside. */
export const SHARED_ROOMS = {
  'providers/wire': { imports: CONTRACTS },
  'providers/openai-compatible': { imports: ADAPTER_IMPORTS },
}

/** @type {readonly import('./table.d.ts').Package[]} */
export const PACKAGES = [
  {
    name: 'toolwright',
    folder: 'toolwright',
    about: 'the library',
    uses: [],
    dependencies: [],
    // Optional, each reached from one door only: esbuild from vite, re2js from tool-search.
    peers: ['esbuild', 're2js'],
    doors: [
      {
        path: '.',
        entry: 'index.ts',
        about: 'tools, the client, advisors, memory, runs, errors',
        imports: Object.keys(ROOMS),
        // How names of tools are written for a provider: a model of one's own has the same need.
        also: ['providers/wire/wire-name', 'providers/wire/chat-dialect'],
        neutral: true,
      },
      {
        ...adapter(
          'openai',
          'models of OpenAI, and of servers that speak the Responses API or Chat Completions',
        ),
        // The door hands both dialects out; neither knows the other.
        also: ['providers/openai-compatible/index'],
      },
      adapter('anthropic', 'models of Anthropic'),
      adapter('google', 'models of Google'),
      adapter('ollama', 'models that Ollama serves'),
      {
        path: './agent',
        entry: 'agent/index.ts',
        about: 'the Agent/Tool protocol: composed schemas, activities, delegates',
        imports: CONTRACTS,
        publicCore: true,
        // Answers held to a schema, refusals, and how labels and long results are treated.
        also: [
          'advisors/answer-format',
          'advisors/structured-output-advisor',
          'loop/refused-error',
          'tool-calling/cut-output',
        ],
        neutral: true,
      },
      {
        path: './tool-search',
        entry: 'tool-search/index.ts',
        about: 'finding the right tools among many: indexes, and the advisor that searches them',
        imports: CONTRACTS,
        publicCore: true,
      },
      {
        path: './trace',
        entry: 'trace/index.ts',
        about: 'what happened in runs, in a file, and read again',
        imports: [...CONTRACTS, 'observation'],
        neutral: true,
      },
      {
        path: './ui',
        entry: 'ui/index.ts',
        about: "runs for the pages people have: useChat's streams, AG-UI's, and what comes back",
        imports: CONTRACTS,
        publicCore: true,
        neutral: true,
      },
      {
        path: './testing',
        entry: 'testing/index.ts',
        about: 'scripted models, cassettes, ports in your hands, contract suites',
        imports: CONTRACTS,
        publicCore: true,
        also: [
          // What the contract suites ask about besides: counting, signed states, indexes of tools, stores of streams.
          'tool-calling/call-counter',
          'tool-calling/suspension',
          'tool-search/tool-index',
          'ui/replay/stream-store',
          // What the manual clock loads ahead.
          'on-demand',
        ],
      },
      {
        path: './vite',
        entry: 'vite/index.ts',
        about: 'decorators for Vite and vitest',
        imports: OPEN,
      },
    ],
  },
  {
    name: '@toolwright/ai-sdk',
    folder: 'ai-sdk',
    about: 'models of the AI SDK, specification v2, v3 and v4',
    uses: ['toolwright'],
    dependencies: ['toolwright'],
    peers: [],
    doors: [
      {
        path: '.',
        entry: 'index.ts',
        about: 'any language model of the AI SDK as a chat model',
        neutral: true,
      },
    ],
  },
  {
    name: '@toolwright/fault-server',
    folder: 'fault-server',
    about: 'a provider on loopback that misbehaves in 66 ways, per dialect',
    uses: [],
    dependencies: [],
    peers: [],
    doors: [
      {
        path: '.',
        entry: 'index.ts',
        about: 'the server, its dialects, its scenarios',
      },
    ],
  },
  {
    name: '@toolwright/sql',
    folder: 'sql',
    about: 'conversations and waiting runs in SQLite and PostgreSQL',
    uses: ['toolwright'],
    dependencies: ['kysely', 'libsql', 'pg', 'toolwright'],
    peers: [],
    doors: [
      {
        path: '.',
        entry: 'index.ts',
        about: 'opening a database, the memory repository and the run store in it',
      },
    ],
  },
  {
    name: '@toolwright/dbos',
    folder: 'dbos',
    about: 'runs that survive the machine, on DBOS and PostgreSQL',
    uses: ['toolwright'],
    dependencies: ['@dbos-inc/dbos-sdk', 'pg', 'toolwright'],
    peers: [],
    doors: [
      {
        path: '.',
        entry: 'index.ts',
        about: 'durable runs, and the port to DBOS alone',
      },
    ],
  },
  {
    name: '@toolwright/mcp',
    folder: 'mcp',
    about: 'tools of MCP servers, and tools for MCP clients',
    uses: ['toolwright'],
    dependencies: ['@modelcontextprotocol/client', '@modelcontextprotocol/server', 'toolwright'],
    peers: [],
    doors: [
      {
        path: '.',
        entry: 'index.ts',
        about: 'tools of MCP servers, and tools served to MCP clients',
      },
    ],
  },
  {
    name: '@toolwright/otel',
    folder: 'otel',
    about: 'spans and metrics by OpenTelemetry',
    uses: ['toolwright'],
    dependencies: ['@opentelemetry/api', 'toolwright'],
    // Small, and spans are started where nobody can wait.
    importsAtOnce: ['@opentelemetry/api'],
    peers: [],
    doors: [
      {
        path: '.',
        entry: 'index.ts',
        about: 'the observer that makes spans and metrics, and the trace across processes',
      },
    ],
  },
  {
    name: '@toolwright/code-mode',
    folder: 'code-mode',
    about: 'programs that call tools, in a sandbox of their own',
    uses: ['toolwright'],
    dependencies: ['@swc/wasm-typescript', 'quickjs-wasi', 'toolwright'],
    peers: [],
    workers: ['sandbox/quickjs/worker.ts'],
    doors: [
      {
        path: '.',
        entry: 'index.ts',
        about: 'programs that call tools, and the sandbox they run in',
      },
      {
        path: './testing',
        entry: 'testing/index.ts',
        about: 'the contract suite of sandboxes',
      },
    ],
  },
  {
    name: '@toolwright/playground',
    folder: 'playground',
    about: 'the page where tools are tried out, and its server',
    uses: ['toolwright', '@toolwright/sql'],
    dependencies: ['@toolwright/sql', 'toolwright'],
    peers: [],
    hasPage: true,
    doors: [
      {
        path: '.',
        entry: 'index.ts',
        about: 'serves the playground on loopback',
      },
    ],
  },
  {
    name: '@toolwright/cli',
    folder: 'cli',
    about:
      'the command `toolwright`: chat, conversations, cassette, tools, call, search, mcp, trace, playground, generate',
    uses: [
      'toolwright',
      '@toolwright/code-mode',
      '@toolwright/mcp',
      '@toolwright/playground',
      '@toolwright/sql',
    ],
    dependencies: [
      '@toolwright/code-mode',
      '@toolwright/mcp',
      '@toolwright/playground',
      '@toolwright/sql',
      'chrono-node',
      'libsql',
      'tinyglobby',
      'toolwright',
      'tsx',
      'typescript',
    ],
    peers: [],
    command: 'main.ts',
    doors: [],
  },
]
