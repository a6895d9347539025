import { expect, it } from 'vitest'
import { ollamaAddress } from './ollama-address.ts'

it.each([
  [undefined, 'http://127.0.0.1:11434/v1'],
  ['', 'http://127.0.0.1:11434/v1'],
  ['127.0.0.1', 'http://127.0.0.1:11434/v1'],
  ['myhost:1234', 'http://myhost:1234/v1'],
  [':1234', 'http://127.0.0.1:1234/v1'],
  ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
  ['0.0.0.0:1234', 'http://127.0.0.1:1234/v1'],
  ['http://myhost:1234/', 'http://myhost:1234/v1'],
  ['https://models.example.org', 'https://models.example.org/v1'],
  ['http://myhost:1234/v1', 'http://myhost:1234/v1'],
  ['http://myhost/ollama', 'http://myhost/ollama/v1'],
  ['::nonsense::', 'http://127.0.0.1:11434/v1'],
])('%s', (host, address) => {
  expect(ollamaAddress(host)).toBe(address)
})
