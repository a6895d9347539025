/** The keys of a run's steps. */
import { expect, it } from 'vitest'
import type { Durability } from '../ports/durability.ts'
import { runSteps } from './run-steps.ts'

/** Steps that end when the test says so. */
class OpenSteps implements Durability {
  readonly keys: string[] = []
  readonly ends: (() => void)[] = []

  step<T>(key: string, run: () => Promise<T>): Promise<T> {
    this.keys.push(key)
    return new Promise((resolve, reject) => this.ends.push(() => void run().then(resolve, reject)))
  }
}

const fine = async (): Promise<string> => 'fine'
const broken = (): Promise<never> => Promise.reject(new Error('broken'))

it('steps of one key that run side by side have different keys, from their start on', async () => {
  const steps = new OpenSteps()
  const step = runSteps('run', steps)
  const running = [step('io', fine), step('io', fine), step('other', fine), step('io', fine)]
  expect(steps.keys).toEqual(['run/io', 'run/io#2', 'run/other', 'run/io#3'])
  for (const end of steps.ends) end()
  await Promise.all(running)
  void step('io', fine)
  expect(steps.keys.at(-1)).toBe('run/io#4')
})

it('a step that failed is tried under its own key, also when a later one has ended well', async () => {
  const steps = new OpenSteps()
  const step = runSteps('run', steps)
  const running = Promise.allSettled([step('io', broken), step('io', fine), step('io', broken)])
  for (const end of steps.ends) end()
  await running
  void step('io', fine)
  void step('io', fine)
  void step('io', fine)
  expect(steps.keys.slice(3)).toEqual(['run/io', 'run/io#3', 'run/io#4'])
})
