/** Waits for what happens elsewhere, however busy the machine is. */
import { expect } from 'vitest'
import { HANG_GUARD_MS } from '../../scripts/hang-guard.ts'

export const eventually = <T>(look: () => T): ReturnType<typeof expect.poll<T>> =>
  expect.poll(look, { timeout: HANG_GUARD_MS / 10 })
