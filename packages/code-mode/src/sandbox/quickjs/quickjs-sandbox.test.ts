import { describe, it } from 'vitest'
import { sandboxContract } from '../../testing/sandbox-contract.ts'
import { quickJsSandbox } from './quickjs-sandbox.ts'

describe('QuickJS in workers keeps the contract', () => {
  for (const { name, run } of sandboxContract({ create: () => quickJsSandbox() })) it(name, run)
})

describe('QuickJS in the thread of its host keeps the contract', () => {
  for (const { name, run } of sandboxContract({ create: () => quickJsSandbox({ workers: 0 }) }))
    it(name, run)
})
