/** What the examples of test/spring-checklist.md still owe: Java blocks without a twin, rows gone stale. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedDataFolder } from '../skip-reporter.ts'
import { seedBlocks, type SeedBlock } from './seed-blocks.ts'
import type { TwinRow } from './spring-checklist.ts'

/** Page → its Java blocks. */
export type Seeds = ReadonlyMap<string, readonly SeedBlock[]>

/** How many Java blocks the pages have: 000 is of Spring AI 1.1, 004 of 2.0. */
export const BLOCKS: { readonly [page: string]: number } = { '000': 62, '004': 64 }

/** The blocks of the pages as they lie in the shared folder; undefined when they are not there. */
export function readSeeds(root: string): Seeds | undefined {
  const folder = join(sharedDataFolder(root) ?? root, 'seeds')
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder)
  return new Map(
    Object.keys(BLOCKS).map((page) => {
      const file = files.find((name) => name.startsWith(`${page}_`))
      return [page, file ? seedBlocks(readFileSync(join(folder, file), 'utf8')) : []]
    }),
  )
}

/** Blocks without a row, rows of no block, blocks whose first line is another. Without the pages: by number. */
export function missingTwins(twins: readonly TwinRow[], seeds: Seeds | undefined): string[] {
  const listed = twins.flatMap((row) => row.blocks)
  const blocks = seeds ? titledBlocks(seeds) : numberedBlocks()
  return [
    ...[...blocks.keys()]
      .filter((block) => !listed.includes(block))
      .map((block) => `block ${block} has no twin: ${blocks.get(block) ?? ''}`),
    ...listed
      .filter((block, index) => !blocks.has(block) || listed.indexOf(block) !== index)
      .map((block) => `block ${block} is in the table twice, or not on the page`),
    ...twins.flatMap((row) => staleTitles(row, blocks)),
  ]
}

/** Rows without an example, or with one that is not there or did not run, as the caller sees it. */
export function missingFiles(twins: readonly TwinRow[], has: (file: string) => boolean): string[] {
  return twins.flatMap(({ blocks, files, later }) => {
    if (files.length === 0 && !later) return [`${blocks.join(', ')}: open: no twin`]
    return files
      .filter((file) => !has(file))
      .map((file) => `${blocks.join(', ')}: ${file} is not there, or did not run`)
  })
}

function staleTitles(row: TwinRow, blocks: ReadonlyMap<string, string | undefined>): string[] {
  return row.blocks.flatMap((block) => {
    const title = blocks.get(block)
    if (title === undefined || title === row.title) return []
    return [`block ${block} begins with "${title}", the table says "${row.title}"`]
  })
}

function titledBlocks(seeds: Seeds): Map<string, string | undefined> {
  return new Map(
    [...seeds].flatMap(([page, blocks]) =>
      blocks.map(({ number, title }): [string, string] => [`${page}-${number}`, title]),
    ),
  )
}

function numberedBlocks(): Map<string, string | undefined> {
  return new Map(
    Object.entries(BLOCKS).flatMap(([page, count]) =>
      Array.from({ length: count }, (_each, index): [string, undefined] => [
        `${page}-${index + 1}`,
        undefined,
      ]),
    ),
  )
}
