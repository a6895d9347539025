/** Where content came from: tools label their results, and a policy sees the run's high-water mark. */
import { describe, expect } from 'vitest'
import { fromUntrustedMessages, tool, type ToolSource } from 'toolwright'
import { scenario } from './scenario.ts'

const read = (name: string, labels: Parameters<typeof tool>[0]['labels']): ToolSource =>
  tool({ name, labels, execute: () => 'content' })

describe('labels', () => {
  scenario('results carry what their tools declare', {
    script: [{ toolCalls: [{ name: 'web' }, { name: 'mail' }, { name: 'plain' }] }, 'Read.'],
    tools: () => [
      read('web', { emits: 'untrusted' }),
      read('mail', { emits: 'untrusted', reads: 'private' }),
      read('plain', undefined),
    ],
    check({ result }) {
      const told = result.messages.find((message) => message.role === 'tool')
      expect(told?.responses.map((response) => response.label)).toEqual([
        { trust: 'untrusted', source: 'web' },
        { trust: 'untrusted', private: true, source: 'mail' },
        undefined,
      ])
    },
  })

  scenario('once untrusted or private, always: the policy sees it from the next round on', {
    script: [
      { toolCalls: [{ name: 'plain' }] },
      { toolCalls: [{ name: 'web' }] },
      { toolCalls: [{ name: 'mail' }] },
      { toolCalls: [{ name: 'plain' }] },
      'Read.',
    ],
    client: ({ log }) => ({
      policy(call) {
        log.push([call.labels.tool?.emits, call.labels.run])
        return 'allow'
      },
    }),
    tools: () => [
      read('web', { emits: 'untrusted' }),
      read('mail', { reads: 'private' }),
      read('plain', undefined),
    ],
    check({ log }) {
      expect(log).toEqual([
        [undefined, { trust: 'trusted' }],
        ['untrusted', { trust: 'trusted' }],
        [undefined, { trust: 'untrusted' }],
        [undefined, { trust: 'untrusted', private: true }],
      ])
    },
  })

  scenario('what a browser sent is untrusted from the start', {
    script: [{ toolCalls: [{ name: 'plain' }] }, 'Read.'],
    client: ({ log }) => ({ policy: (call) => (log.push(call.labels.run.trust), 'allow') }),
    request: (client) => client.prompt(fromUntrustedMessages([{ role: 'user', content: 'Hello' }])),
    tools: () => [read('plain', undefined)],
    check: ({ log }) => void expect(log).toEqual(['untrusted']),
  })
})
