/** The same conversations as every adapter writes them, checked by what the fault server knows of each provider. */
import { ChatClient, chatMemoryAdvisor, type ChatModel, type Transport } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { DIALECTS as CHECKS } from '../../packages/fault-server/src/dialects.ts'
import { DIALECTS, MODELS } from '../wire/dialects.ts'
import { rememberedConversation } from './memory-case.ts'

const CASES = 200

describe.each(DIALECTS)('%s', (dialect) => {
  it(`takes ${CASES} random conversations from random memories`, async () => {
    const { validate, basePath } = CHECKS[dialect]
    for (let seed = 1; seed <= CASES; seed++) {
      const refused: string[] = []
      let asked = 0
      const transport: Transport = async ({ url, headers, body }) => {
        asked++
        const path = new URL(url).pathname + new URL(url).search
        const request = { path, headers, text: body, body: JSON.parse(body) as unknown, sent: [] }
        refused.push(...validate(request))
        throw new Error('It was only looked at.')
      }
      const baseUrl = `http://127.0.0.1:9${basePath}`
      const model: ChatModel = MODELS[dialect]({
        baseUrl,
        apiKey: 'k',
        transport,
        retry: false,
      })
      const memory = await rememberedConversation(seed)
      const client = ChatClient.create(model, { advisors: [chatMemoryAdvisor(memory)] })
      await client
        .prompt('And now?')
        .conversation('c')
        .call()
        .result()
        .catch(() => {})
      expect(asked, `seed ${seed} was not sent`).toBeGreaterThan(0)
      expect(refused, `seed ${seed}`).toEqual([])
    }
  })
})
