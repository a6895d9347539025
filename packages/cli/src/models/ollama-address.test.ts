import { expect, it } from 'vitest'
import { ollamaAddress } from './ollama-address.ts'

it.each([
  [undefined, 'http://127.0.0.1:11434'],
  ['', 'http://127.0.0.1:11434'],
  ['127.0.0.1', 'http://127.0.0.1:11434'],
  ['myhost:1234', 'http://myhost:1234'],
  [':1234', 'http://127.0.0.1:1234'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:1234', 'http://127.0.0.1:1234'],
  ['http://myhost:1234/', 'http://myhost:1234'],
  ['https://models.example.org', 'https://models.example.org'],
  ['http://myhost:1234/v1', 'http://myhost:1234'],
  ['http://myhost/ollama', 'http://myhost/ollama'],
  ['::nonsense::', 'http://127.0.0.1:11434'],
])('%s', (host, address) => {
  expect(ollamaAddress(host)).toBe(address)
})
