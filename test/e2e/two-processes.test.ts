/** A run that suspends in one process and goes on in another: nothing is lost, nothing happens twice. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { bundleProgram } from '../processes/bundle-program.ts'
import type { ProcessTask } from './payment-process.ts'

const program = await bundleProgram(new URL('payment-process.ts', import.meta.url))
afterAll(() => program[Symbol.dispose]())
const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

const SECRET = 'shared by both processes'

interface Outcome {
  readonly status: string
  readonly code?: string
  readonly roles?: readonly string[]
}

/** A folder, and processes that run in it one after another. */
function stage(common: Pick<ProcessTask, 'place' | 'mode'>) {
  const folder = mkdtempSync(join(tmpdir(), 'two-processes-'))
  folders.push(folder)
  const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  return {
    run(act: ProcessTask['act'], secret?: string): Outcome {
      const task: ProcessTask = { folder, act, ...common, ...(secret !== undefined && { secret }) }
      execFileSync(process.execPath, [program.file, JSON.stringify(task)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      return json('outcome.json') as Outcome
    },
    effects(): readonly string[] {
      const file = join(folder, 'effects.txt')
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
    },
    memory: () => (json('memory.json') as readonly { role: string }[]).map(({ role }) => role),
  }
}

describe('suspended here, resumed there', () => {
  for (const place of ['outside', 'inside'] as const) {
    const mode = place === 'outside' ? 'call' : 'stream'
    it(`memory ${place} the loop (${mode})`, () => {
      const { run, effects, memory } = stage({ place, mode })
      expect(run('suspend', SECRET)).toMatchObject({ status: 'suspended' })
      expect(effects()).toEqual([])

      expect(run('resume', SECRET)).toMatchObject({ status: 'done' })
      expect([...effects()].sort()).toEqual(['a pay-a', 'b pay-b'])
      expect(memory()).toEqual(
        place === 'outside' ? ['user', 'assistant'] : ['user', 'assistant', 'tool', 'assistant'],
      )

      // The state is used up, also for a third process.
      expect(run('resume', SECRET)).toEqual({ status: 'failed', code: 'state-used' })
      expect(effects()).toHaveLength(2)
      expect(memory().filter((role) => role === 'user')).toHaveLength(1)
    })
  }

  it('without a stateSecret only the first process could', () => {
    const { run, effects } = stage({ place: 'outside', mode: 'call' })
    expect(run('suspend')).toMatchObject({ status: 'suspended' })
    expect(run('resume')).toEqual({ status: 'failed', code: 'state-signature' })
    expect(run('resume', SECRET)).toEqual({ status: 'failed', code: 'state-signature' })
    expect(effects()).toEqual([])
  })
})
