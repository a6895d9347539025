import { describe, expect, it } from 'vitest'
import { openaiCompatibleEmbeddings } from '../openai/index.ts'
import { ollamaEmbeddings } from '../ollama/index.ts'
import type { Transport, TransportRequest } from '../../ports/transport.ts'

/** Answers each request with the next of these. */
function answering(...answers: readonly unknown[]): {
  readonly transport: Transport
  readonly requests: TransportRequest[]
} {
  const requests: TransportRequest[] = []
  const transport: Transport = async (request) => {
    const answer = answers[requests.length]
    requests.push(request)
    const bytes = new TextEncoder().encode(JSON.stringify(answer))
    return {
      status: 200,
      header: () => 'application/json',
      body: (async function* () {
        yield bytes
      })(),
    }
  }
  return { transport, requests }
}

describe('embeddings over the wire', () => {
  it("speak OpenAI's dialect, and put vectors in order that came out of it", async () => {
    const { transport, requests } = answering({
      data: [
        { index: 1, embedding: [3, 4] },
        { index: 0, embedding: [1, 2] },
      ],
    })
    const baseUrl = 'http://host/v1'
    const model = openaiCompatibleEmbeddings('bge', { baseUrl, transport, apiKey: 'secret' })
    expect(await model.embed(['a', 'b'])).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(requests[0]).toMatchObject({
      url: 'http://host/v1/embeddings',
      headers: { authorization: 'Bearer secret' },
    })
    expect(JSON.parse(requests[0]!.body)).toEqual({ model: 'bge', input: ['a', 'b'] })
  })

  it("speak Ollama's, with what each text is written before it", async () => {
    const { transport, requests } = answering({ embeddings: [[1, 2]] }, { embeddings: [[1, 2]] })
    const prefixes = { document: 'search_document: ', query: 'search_query: ' }
    const model = ollamaEmbeddings('nomic-embed-text', { transport, prefixes })
    await model.embed(['a'])
    await model.embed(['a'], { as: 'query' })
    expect(requests[0]!.url).toBe('http://127.0.0.1:11434/api/embed')
    expect(requests.map(({ body }) => (JSON.parse(body) as { input: unknown }).input)).toEqual([
      ['search_document: a'],
      ['search_query: a'],
    ])
  })

  it('ask nobody about nothing', async () => {
    const { transport, requests } = answering()
    expect(await ollamaEmbeddings('m', { transport }).embed([])).toEqual([])
    expect(requests).toEqual([])
  })

  it.each([
    {},
    { embeddings: [] },
    { embeddings: [['x']] },
    { embeddings: [[1], [2]] },
    null,
    'no',
  ])('refuse an answer that is none: %j', async (answer) => {
    const { transport } = answering(answer)
    await expect(ollamaEmbeddings('m', { transport }).embed(['a'])).rejects.toMatchObject({
      code: 'invalid-response',
    })
  })

  it('refuse options they do not have', () => {
    expect(() => ollamaEmbeddings('m', { prefixs: {} } as never)).toThrow('Did you mean "prefixes"')
  })
})
