/** Turns are timed by a clock of the test: each time the engine asks whether it shall stop, a millisecond has passed. */
import { expect, it } from 'vitest'
import { programOf } from '../../testing/drive-program.ts'
import { loadEngine } from './load-engine.ts'
import { Programs } from './programs.ts'
import { BEAT_BYTES } from './wire.ts'

it('computing ends by fuel and not by the clock in a thread that has just begun', async () => {
  let now = 0
  const beat = new Int32Array(new SharedArrayBuffer(BEAT_BYTES))
  const programs = new Programs(await loadEngine(), beat, () => now++)
  await programs.warmUp()
  const limits = { fuel: 600, turnMs: 200, stackBytes: 64 * 1024 }
  const loop = { start: programOf('for (;;);', { limits }) }
  expect((await programs.handle({ id: 1, ...loop }))[0]!.end).toMatchObject({ kind: 'fuel' })
  now += 1_000
  expect((await programs.handle({ id: 2, ...loop }))[0]!.end).toMatchObject({ kind: 'time' })
})
