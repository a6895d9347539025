/**
 * The library as it is published: whatever doors share exists once, so a class is the same class behind every
 * door, and what is loaded on demand is not loaded before.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PACKAGES } from '../doors/table.js'
import { bundlePackage, type BundledFile } from './bundle-package.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const library = PACKAGES.find(({ name }) => name === 'toolwright')!
const folder = mkdtempSync(join(tmpdir(), 'bundle-package-'))
const dist = join(folder, 'dist')
let files: readonly BundledFile[]

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  files = (await bundlePackage(library, join(root, 'packages/toolwright'), dist)).files
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The built door, past the aliases of the tests. */
function door(entry: string): Promise<any> {
  const url = pathToFileURL(join(dist, entry)).href
  return import(/* @vite-ignore */ url)
}

/** The file and everything that is loaded with it. */
function loadedWith(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const next of files.find((file) => file.name === name)!.imports) loadedWith(next, seen)
  return seen
}

describe('the bundled library', () => {
  it('has a file for every door, where the manifest says', () => {
    const names = files.map(({ name }) => name)
    for (const { entry } of library.doors) expect(names).toContain(entry.replace(/ts$/, 'js'))
  })

  it('holds every source once', () => {
    const sources = files.flatMap((file) => file.sources)
    const twice = sources.filter((source, index) => sources.indexOf(source) !== index)
    expect(twice).toEqual([])
    expect(sources.length).toBeGreaterThan(100)
  })

  it('throws the classes of the root door behind every other door', async () => {
    const { ConfigurationError, ToolwrightError, ChatClient, tool } = await door('index.js')
    const { openaiCompatible } = await door('providers/openai/index.js')
    const { manualClock, scriptedModel } = await door('testing/index.js')
    expect(() => openaiCompatible('m', { baseUrl: 'no address' })).toThrow(ConfigurationError)
    await expect(manualClock().advance(-1)).rejects.toThrow(ConfigurationError)
    const { agentRegistry, AgentError } = await door('agent/index.js')
    expect(() => agentRegistry().activity('', () => 1)).toThrow(AgentError)
    expect(AgentError.prototype).toBeInstanceOf(ToolwrightError)
    const echo = tool({ name: 'echo', description: 'Echo', execute: () => 'hi' })
    const model = scriptedModel([{ toolCalls: [{ name: 'echo' }] }, 'done'])
    expect(await ChatClient.create(model).prompt('x').tools(echo).call().content()).toBe('done')
    expect(ChatClient.name).toBe('ChatClient')
  })

  it('does not load with the root door what is loaded on demand', () => {
    const atOnce = [...loadedWith('index.js')]
    const onDemand = atOnce.flatMap((name) => files.find((file) => file.name === name)!.onDemand)
    expect(onDemand.length).toBeGreaterThan(0)
    expect(onDemand.filter((name) => atOnce.includes(name))).toEqual([])
  })

  it('keeps names, comments and maps', () => {
    const name = [...loadedWith('index.js')].find((each) => /chunks\/contracts-/.test(each))!
    const code = readFileSync(join(dist, name), 'utf8')
    expect(code).toContain('/** The program is wrong. */')
    const map = JSON.parse(readFileSync(join(dist, `${name}.map`), 'utf8'))
    expect(map.sourcesContent.join()).toContain('export class ConfigurationError')
    expect(map.sources.every((source: string) => source.startsWith('../'))).toBe(true)
  })
})
