import { expect, it } from 'vitest'
import { failedCases, wrong } from './contract-case.ts'

it('failedCases runs every case and tells which failed, and why', async () => {
  const ran: string[] = []
  const error = wrong('It is wrong.')
  const suite = ['good', 'bad', 'last'].map((name) => ({
    name,
    async run() {
      ran.push(name)
      if (name === 'bad') throw error
    },
  }))
  expect(await failedCases(suite)).toEqual([{ name: 'bad', error }])
  expect(ran).toEqual(['good', 'bad', 'last'])
})
