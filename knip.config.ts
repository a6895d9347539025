/**
 * `npm run knip`: files that nothing reaches, exports that nobody imports, dependencies that are not used or
 * not listed. Entries are what is started by itself: doors, commands, tests, examples, bench workers.
 */
import type { KnipConfig } from 'knip'
import { PACKAGES, type Package } from './scripts/doors/table.js'

const workspaceOf = ({ name, command, doors, peers }: Package) => ({
  entry: [...doors.map(({ entry }) => entry), ...(command ? [command] : [])].map(
    (entry) => `src/${entry}`,
  ),
  project: ['src/**/*.ts', ...(command ? ['bin/*.js'] : [])],
  // Optional peers are loaded by what needs them; the fault server is for the library's tests.
  ignoreDependencies: [...peers, ...(name === 'toolwright' ? ['@toolwright/fault-server'] : [])],
})

const config: KnipConfig = {
  // A type that only an exported signature names stays exported, so that its users can name it too.
  ignoreExportsUsedInFile: { interface: true, type: true },
  workspaces: {
    '.': {
      entry: [
        'scripts/*.ts',
        // Bundled by path.
        'scripts/walk/{requests,trace}.ts',
        'test/**/*.{test,test-d}.ts',
        'test/cli/*-process.ts',
        'test/durable/durable-worker.ts',
        'test/trace/tracing-process.ts',
        'test/mcp/host-process.ts',
        'test/otel/resuming-process.ts',
        'scripts/durable-demo/demo-worker.ts',
      ],
      project: ['{,.}*.{ts,js}', '{scripts,test}/**/*.{ts,js}', '!test/generate/{shop,fresh}/**'],
      // Tests of the regex index need what is an optional peer of the library; code in docs/ is run with Hono; tests of
      // @toolwright/mcp talk to servers of its SDK, and those of spans ask a model of the AI SDK.
      ignoreDependencies: ['hono', 're2js', '@modelcontextprotocol/server', 'ai-sdk-compatible-v4'],
    },
    ...Object.fromEntries(PACKAGES.map((row) => [`packages/${row.folder}`, workspaceOf(row)])),
    // The filesystem server is started as a program.
    examples: {
      entry: ['**/*.ts'],
      ignoreDependencies: ['@modelcontextprotocol/server-filesystem'],
    },
    bench: {
      // The server and the workers are bundled by path.
      entry: [
        'src/wire/{mock-server,workers/*}.ts',
        'src/parked/*.ts',
        'src/durable/*-worker.ts',
        'src/mcp/{tool-server,bare-client,toolwright-client}.ts',
        'src/observe/observed-loop.ts',
        'src/bypass/toolwright.ts',
        'src/ui/streams.ts',
      ],
      project: ['src/**/*.ts'],
    },
  },
}

export default config
