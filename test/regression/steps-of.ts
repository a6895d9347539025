/**
 * How many steps a piece of our own code takes: how often its functions and blocks run, as the engine counts them.
 * Unlike time the same on every machine. What the engine does inside of one step is not seen.
 */
import { Session } from 'node:inspector/promises'

export async function stepsOf(work: () => unknown): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => /\/packages\/[^/]+\/src\//.test(url) && !url.includes('.test.ts'))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0)
  } finally {
    session.disconnect()
  }
}
