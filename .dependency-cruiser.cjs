/**
 * The import rule of the architecture, as a table: each folder of the library names the folders it
 * may import. Tests are free, but for the front door, which is reached by the package's name only.
 */
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const src = '^packages/toolwright/src/'
const test = '\\.test\\.ts$'

const everybody = ['errors', 'internal', 'ports']
const layers = ['client', 'advisors', 'tool-calling', 'model', 'tools', 'schema', 'messages']
const below = (layer) => layers.slice(layers.indexOf(layer) + 1)
// Memory and observation stand beside the chain: the running layers may use them, they use messages.
const beside = {
  client: ['memory', 'observation'],
  advisors: ['memory', 'observation'],
  'tool-calling': ['memory', 'observation'],
}

const mayImport = {
  ...Object.fromEntries(
    layers.map((layer) => [layer, [...below(layer), ...(beside[layer] ?? [])]]),
  ),
  memory: ['messages'],
  observation: ['messages'],
  errors: ['messages', 'schema'],
  internal: ['messages'],
  ports: ['messages'],
}
const coreFolders = Object.keys(mayImport)
const anyOf = (folders) => `(${folders.join('|')})/`

/** The files whose names the public door hands out. */
const door = readFileSync(join(__dirname, 'packages/toolwright/src/index.ts'), 'utf8')
const behindTheDoor = [
  ...new Set(Array.from(door.matchAll(/ from '\.\/([\w/-]+)\.ts'/g), ([, file]) => file)),
]
// Doors of their own that build on the core, and what they share with it besides: answers held to a schema,
// and how labels and long results are treated.
const subpaths = ['agent', 'tool-search']
const shared = [
  'advisors/answer-format',
  'advisors/structured-output-advisor',
  'tool-calling/run-label',
  'tool-calling/cut-output',
]

const layerRules = Object.entries(mayImport).map(([folder, allowed]) => ({
  name: `layer-${folder}`,
  comment: `${folder} may import ${[...allowed, ...everybody].join(', ')}.`,
  severity: 'error',
  from: { path: `${src}${folder}/`, pathNot: test },
  to: { path: src, pathNot: `${src}${anyOf([folder, ...allowed, ...everybody])}` },
}))

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'providers',
      comment:
        'An adapter knows the contracts below the model, the wire, and itself; a door may also hand out the dialect that others share with its provider.',
      severity: 'error',
      from: { path: `${src}providers/([^/]+)/`, pathNot: test },
      to: {
        path: src,
        pathNot: [
          `${src}${anyOf(['model', 'tools', 'schema', 'messages', ...everybody])}`,
          `${src}providers/(wire|$1)/`,
          `${src}providers/$1-compatible/index\\.ts$`,
        ],
      },
    },
    {
      name: 'subpaths',
      comment:
        'A subpath knows the contracts, what the public door hands out, and itself: never how the core runs.',
      severity: 'error',
      from: { path: `${src}(${subpaths.join('|')})/`, pathNot: test },
      to: {
        path: src,
        pathNot: [
          `${src}${anyOf(['model', 'tools', 'schema', 'messages', ...everybody])}`,
          `${src}(${[...behindTheDoor, ...shared].join('|')})\\.ts$`,
          `${src}$1/`,
        ],
      },
    },
    {
      name: 'testing',
      comment: 'The testing kit builds on contracts, not on adapters.',
      severity: 'error',
      from: { path: `${src}testing/`, pathNot: test },
      to: { path: [`${src}providers/`, `${src}index\\.ts$`] },
    },
    {
      name: 'index-exports-core-only',
      comment: 'The root door leads to core; everything else has its own door.',
      severity: 'error',
      from: { path: `${src}index\\.ts$` },
      to: { path: src, pathNot: `${src}${anyOf(coreFolders)}` },
    },
    {
      name: 'nothing-imports-index',
      comment: 'The front door is for users: inside, import the file itself.',
      severity: 'error',
      from: { path: src, pathNot: test },
      to: { path: `${src}index\\.ts$` },
    },
    {
      name: 'front-door-by-name',
      comment: 'Tests, examples and benchmarks import the package by its name.',
      severity: 'error',
      from: { path: ['^(test|examples|bench)/', test] },
      to: { path: `${src}index\\.ts$`, dependencyTypesNot: ['aliased', 'npm'] },
    },
    {
      name: 'users-through-doors',
      comment: 'Examples, benchmarks and the command see only what a user sees.',
      severity: 'error',
      from: { path: '^(packages/cli|examples|bench)/' },
      to: { path: src, dependencyTypesNot: ['aliased', 'npm'] },
    },
    {
      name: 'core-without-builtins',
      comment:
        'Core is runtime-neutral: no Node builtins outside wire and testing, types excepted.',
      severity: 'error',
      from: { path: src, pathNot: [test, `${src}(providers/wire|testing|tool-search/node)/`] },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'library-without-packages',
      comment: 'No dependencies beyond the allow-lists of scripts/check-exports.ts.',
      severity: 'error',
      from: { path: src, pathNot: test },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm-peer'],
        path: 'node_modules',
      },
    },
    {
      name: 'no-cycles',
      comment: 'Modules that import each other at run time cannot be read one at a time.',
      severity: 'error',
      from: { pathNot: test },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-type-cycles',
      comment: 'Types that need each other usually belong in one file.',
      severity: 'warn',
      from: { pathNot: test },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import must lead somewhere.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: ['node_modules', 'dist/'] },
    exclude: { path: ['/dist/'] },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.js', '.d.ts'],
    },
  },
}
