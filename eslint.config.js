/**
 * Lint, kept short: what the compiler cannot say. The determinism bans hold decision 8 of the
 * architecture (time, chance, ids and network only through ports) and the runtime-neutral core.
 */
import { builtinModules } from 'node:module'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { OUTSIDE_ROOMS } from './scripts/doors/table.js'

const core = 'packages/toolwright/src/**/*.ts'
const outsideCore = [
  ...OUTSIDE_ROOMS.map((room) => `packages/toolwright/src/${room}/**`),
  '**/*.test.ts',
]

const bannedGlobals = [
  ...['setTimeout', 'setInterval', 'setImmediate'].map((name) => ({
    name,
    message: 'Use the Clock port (ports/clock.ts).',
  })),
  { name: 'fetch', message: 'Use the Transport port (ports/transport.ts).' },
  ...['process', 'Buffer', 'global', 'require', '__dirname', '__filename'].map((name) => ({
    name,
    message: 'Core is runtime-neutral: Node globals live behind ports or in providers/wire.',
  })),
]

const bannedProperties = [
  ['Date', 'now', 'Use clock.now() of the Clock port.'],
  ['performance', 'now', 'Use clock.monotonic() of the Clock port.'],
  ['Math', 'random', 'Use the Random port (ports/random.ts).'],
  ['crypto', 'randomUUID', 'Use the Ids port (ports/ids.ts).'],
  ['crypto', 'getRandomValues', 'Use random.bytes() of the Random port.'],
]

// The same through globalThis, which no-restricted-properties does not follow.
const throughGlobalThis = bannedProperties.map(([object, property, message]) => ({
  selector: `MemberExpression[property.name='${property}'][object.property.name='${object}'][object.object.name='globalThis']`,
  message,
}))

const nodeImport = `Core is runtime-neutral: Node builtins live in ${OUTSIDE_ROOMS.join(', ')}.`
const noNodeBuiltins = {
  paths: builtinModules.map((name) => ({ name, message: nodeImport })),
  patterns: [{ group: ['node:*'], allowTypeImports: true, message: nodeImport }],
}

const noExportAll = {
  selector: 'ExportAllDeclaration',
  message: 'A door names every export: no export *.',
}
const determinism = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message: 'Use clock.now().',
  },
  { selector: 'CallExpression[callee.name="Date"]', message: 'Use clock.now().' },
  { selector: 'ImportExpression > Literal[value=/^node:/]', message: nodeImport },
  ...throughGlobalThis,
]

export default defineConfig(
  { ignores: ['**/node_modules', '**/dist', '**/coverage'] },
  // They stand for somebody else's code.
  { ignores: ['test/generate/shop', 'test/generate/fresh'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/max-params': ['error', { max: 3 }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      'no-restricted-exports': [
        'error',
        {
          restrictDefaultExports: {
            direct: true,
            named: true,
            defaultFrom: true,
            namedFrom: true,
            namespaceFrom: true,
          },
        },
      ],
    },
  },
  {
    files: [core],
    ignores: outsideCore,
    rules: {
      'no-restricted-globals': ['error', { globals: bannedGlobals, checkGlobalObject: true }],
      'no-restricted-properties': [
        'error',
        ...bannedProperties.map(([object, property, message]) => ({ object, property, message })),
      ],
      '@typescript-eslint/no-restricted-imports': ['error', noNodeBuiltins],
      'no-restricted-syntax': ['error', ...determinism],
    },
  },
  {
    files: ['**/index.ts'],
    rules: { 'no-restricted-syntax': ['error', noExportAll] },
  },
  {
    // The same rule a second time replaces the first: doors of the core need both lists.
    files: ['packages/toolwright/src/**/index.ts'],
    ignores: outsideCore,
    rules: { 'no-restricted-syntax': ['error', noExportAll, ...determinism] },
  },
  {
    files: ['**/*.test.ts', 'test/**', 'scripts/**', 'bench/**', 'examples/**'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
  { files: ['*.config.ts'], rules: { 'no-restricted-exports': 'off' } },
)
