/** The contract of chat models, kept by the bridge over a real package of each version, over HTTP. */
import { faultServer } from '@toolwright/fault-server'
import { fromAiSdk } from '@toolwright/ai-sdk'
import { createOpenAICompatible as createV2 } from 'ai-sdk-compatible-v2'
import { createOpenAICompatible as createV3 } from 'ai-sdk-compatible-v3'
import { createOpenAICompatible as createV4 } from 'ai-sdk-compatible-v4'
import { chatModelContract } from 'toolwright/testing'
import { describe, it } from 'vitest'

const CREATE = { v2: createV2, v3: createV3, v4: createV4 }

for (const [version, create] of Object.entries(CREATE)) {
  describe(`fromAiSdk keeps the contract with a model of ${version}`, () => {
    const suite = chatModelContract({
      seesRequests: true,
      async create(turns, options) {
        const server = await faultServer({ dialect: 'openai-compatible', turns })
        const provider = create({ name: 'fault', baseURL: server.baseUrl, includeUsage: true })
        return {
          model: fromAiSdk(provider('any'), { options }),
          sent: () => server.requests.map((request) => request.text),
          close: () => server.close(),
        }
      },
    })
    for (const { name, run } of suite) it(name, run)
  })
}
