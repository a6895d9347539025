/**
 * `npm run knip`: files that nothing reaches, exports that nobody imports, dependencies that are not used or
 * not listed. Entries are what is started by itself: doors, commands, tests, examples, bench workers.
 */
import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  // A type that only an exported signature names stays exported, so that its users can name it too.
  ignoreExportsUsedInFile: { interface: true, type: true },
  workspaces: {
    '.': {
      entry: ['scripts/*.ts', 'test/**/*.{test,test-d}.ts', 'test/cli/*-process.ts'],
      project: ['*.{ts,js}', '.*.cjs', '{scripts,test}/**/*.ts', '!test/generate/{shop,fresh}/**'],
      // Tests of the regex index need what is an optional peer of the library.
      ignoreDependencies: ['re2js'],
    },
    'packages/*': {
      entry: ['src/{index,main,*/index,providers/*/index}.ts'],
      project: ['bin/*.js', 'src/**/*.ts'],
    },
    'packages/toolwright': {
      entry: ['src/{index,*/index,providers/*/index}.ts'],
      project: ['src/**/*.ts'],
      // Optional peers, each loaded by what needs it.
      ignoreDependencies: ['esbuild', 're2js'],
    },
    examples: { entry: ['**/*.ts'] },
    bench: {
      // The server and the workers are bundled by path.
      entry: ['src/wire/{mock-server,workers/*}.ts'],
      project: ['src/**/*.ts'],
    },
  },
}

export default config
