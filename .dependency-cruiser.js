/**
 * The import rule of the architecture, made from the table of doors: each room of the library imports the
 * rooms its row names. Tests are free, but for the front door, which is reached by the package's name only.
 */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { OUTSIDE_ROOMS, PACKAGES, ROOMS, SHARED_ROOMS } from './scripts/doors/table.js'

const src = '^packages/toolwright/src/'
const test = '\\.test\\.ts$'
const anyOf = (paths) => `(${paths.join('|')})`
const byName = ['aliased', 'npm']

/** The modules whose names the root door hands out. */
const door = readFileSync(new URL('./packages/toolwright/src/index.ts', import.meta.url), 'utf8')
const behindTheDoor = [
  ...new Set(Array.from(door.matchAll(/ from '\.\/([\w/-]+)\.ts'/g), ([, file]) => file)),
]

const library = PACKAGES.find(({ folder }) => folder === 'toolwright')
const rootDoor = library.doors.find(({ path }) => path === '.')
const doorRooms = library.doors
  .filter(({ entry }) => dirname(entry) !== '.')
  .map((row) => [dirname(row.entry), row])

/** Names every part that is loaded when it is first needed: any room of the core may ask it. */
const onDemand = `${src}on-demand\\.ts$`

function roomRules([room, { imports, types = [], also = [], publicCore }]) {
  const rooms = [room, ...imports]
  const modules = [...also, ...(publicCore ? behindTheDoor : [])]
  const allowed = [
    `${src}${anyOf(rooms)}/`,
    ...(room in ROOMS ? [onDemand] : []),
    ...(modules.length > 0 ? [`${src}${anyOf(modules)}\\.ts$`] : []),
  ]
  const rule = {
    name: `room-${room}`,
    comment: `${room} may import ${[...imports, ...modules].join(', ') || 'nothing'}.`,
    severity: 'error',
    from: { path: `${src}${room}/`, pathNot: test },
    to: {
      path: src,
      pathNot: [...allowed, ...(types.length > 0 ? [`${src}${anyOf(types)}/`] : [])],
    },
  }
  if (types.length === 0) return [rule]
  return [
    rule,
    {
      name: `room-${room}-types`,
      comment: `${room} may import only types of ${types.join(', ')}.`,
      severity: 'error',
      from: { path: `${src}${room}/`, pathNot: test },
      to: { path: `${src}${anyOf(types)}/`, dependencyTypesNot: ['type-only'] },
    },
  ]
}

const packageRules = PACKAGES.map(({ name, folder, uses }) => ({
  name: `package-${folder}`,
  comment: `${name} may import ${uses.join(', ') || 'no other package of this repository'}.`,
  severity: 'error',
  from: { path: `^packages/${folder}/src/`, pathNot: test },
  to: { path: `^packages/(?!${anyOf([folder, ...uses.map(folderOf)])}/)` },
}))

function folderOf(name) {
  return PACKAGES.find((row) => row.name === name).folder
}

export default {
  forbidden: [
    ...Object.entries({ ...ROOMS, ...SHARED_ROOMS }).flatMap(roomRules),
    ...doorRooms.flatMap(roomRules),
    ...packageRules,
    {
      name: 'loaded-on-demand',
      comment: 'What on-demand.ts names is loaded when it is needed, never with it.',
      severity: 'error',
      from: { path: onDemand },
      to: { path: src, dynamic: false, dependencyTypesNot: ['type-import', 'type-only'] },
    },
    {
      name: 'one-place-for-lazy-imports',
      comment: 'The core loads its parts through on-demand.ts only.',
      severity: 'error',
      from: { path: `${src}${anyOf(Object.keys(ROOMS))}/`, pathNot: test },
      to: { path: src, dynamic: true },
    },
    {
      name: 'index-exports-core-only',
      comment:
        'The root door leads to core and to what its row names; everything else has its own door.',
      severity: 'error',
      from: { path: `${src}index\\.ts$` },
      to: {
        path: src,
        pathNot: [`${src}${anyOf(Object.keys(ROOMS))}/`, `${src}${anyOf(rootDoor.also)}\\.ts$`],
      },
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
      to: { path: `${src}index\\.ts$`, dependencyTypesNot: byName },
    },
    {
      name: 'packages-through-doors',
      comment: 'A package sees of another what a user sees.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^packages/', pathNot: '^packages/$1/', dependencyTypesNot: byName },
    },
    {
      name: 'users-through-doors',
      comment: 'Examples and benchmarks see only what a user sees.',
      severity: 'error',
      from: { path: '^(examples|bench)/' },
      to: { path: '^packages/', dependencyTypesNot: byName },
    },
    {
      name: 'core-without-builtins',
      comment: 'Core is runtime-neutral: Node builtins only in the rooms for it, types excepted.',
      severity: 'error',
      from: { path: src, pathNot: [test, `${src}${anyOf(OUTSIDE_ROOMS)}/`] },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'library-without-packages',
      comment: 'No dependencies beyond those of the table.',
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
