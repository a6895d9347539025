import { describe, expect, it } from 'vitest'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import { mergeOptions, offeredTools } from './merge-options.ts'

const named = (name: string): ToolCallback => ({
  definition: { name, description: name, inputSchema: { type: 'object' } },
  metadata: DEFAULT_METADATA,
  call: () => Promise.resolve(''),
})

describe('mergeOptions', () => {
  it('lets the prompt win field by field', () => {
    const merged = mergeOptions(
      { temperature: 0, maxTokens: 5 },
      { temperature: 1, topP: 0.5, maxTokens: undefined },
    )
    expect(merged).toEqual({ temperature: 1, topP: 0.5, maxTokens: 5 })
    expect(mergeOptions({ seed: 1 }, undefined)).toEqual({ seed: 1 })
  })

  it('treats tools and tool names as one field', () => {
    const defaults = { tools: [named('a')], toolNames: ['b'] }
    expect(mergeOptions(defaults, { toolNames: ['c'] })).toEqual({ toolNames: ['c'] })
    expect(mergeOptions(defaults, { tools: [] })).toEqual({ tools: [] })
    expect(mergeOptions(defaults, { seed: 1 })).toEqual({ ...defaults, seed: 1 })
  })

  it('merges the tool context key by key', () => {
    const merged = mergeOptions({ toolContext: { a: 1, b: 1 } }, { toolContext: { b: 2 } })
    expect(merged.toolContext).toEqual({ a: 1, b: 2 })
  })
})

describe('offeredTools', () => {
  it('gives the same list back where there is nothing to resolve', async () => {
    const tools = [named('a'), named('b')]
    expect(await offeredTools({ tools }, undefined)).toBe(tools)
    expect(await offeredTools({}, undefined)).toEqual([])
  })

  it('finds tools by name, after those given', async () => {
    const b = named('b')
    const resolver = {
      resolve: (name: string) => (name === 'b' ? b : undefined),
      names: () => ['b'],
    }
    expect(await offeredTools({ tools: [named('a')], toolNames: ['b'] }, resolver)).toEqual(
      [named('a'), b].map((tool) => expect.objectContaining({ definition: tool.definition })),
    )
    await expect(offeredTools({ toolNames: ['bb'] }, resolver)).rejects.toMatchObject({
      code: 'unknown-tool-name',
    })
    await expect(offeredTools({ toolNames: ['b'] }, undefined)).rejects.toMatchObject({
      code: 'unknown-tool-name',
    })
  })
})
