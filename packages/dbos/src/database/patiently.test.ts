import { expect, it } from 'vitest'
import { patiently } from './patiently.ts'

const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })

it('gives up on a statement that gets no answer', async () => {
  await expect(patiently(() => new Promise(() => {}), { waitMs: 20 })).rejects.toMatchObject({
    code: 'database-unreachable',
    retryable: true,
    message: expect.stringContaining('no answer within 20 ms') as string,
  })
})

it('says why it failed before, if it did', async () => {
  let tries = 0
  const work = (): Promise<void> =>
    tries++ === 0 ? Promise.reject(away) : new Promise<void>(() => {})
  await expect(patiently(work, { waitMs: 100 })).rejects.toMatchObject({
    code: 'database-unreachable',
    cause: away,
  })
})

it('tries no more when nobody waits for it', async () => {
  let tries = 0
  const work = (): Promise<never> => (tries++, Promise.reject(away))
  await expect(patiently(work, { waitMs: 30 })).rejects.toMatchObject({ cause: away })
  const before = tries
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(tries).toBe(before)
})
