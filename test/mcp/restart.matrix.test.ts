/** A call that waits outlives the process that it was made to. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { bundleProgram } from '../processes/bundle-program.ts'
import {
  accept,
  CAN_ANSWER,
  rpc,
  textOfResult,
} from '../../packages/mcp/src/server/serving.cases.ts'

const PAY = { name: 'pay', arguments: { amount: 7 } }

it('an approval asked for by a process that was killed is used by the next, once', async () => {
  using program = await bundleProgram(new URL('approving-server.ts', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-mcp-'))
  const log = join(folder, 'log')
  const started: ChildProcess[] = []
  const start = async (): Promise<string> => {
    const words = [program.file, `file:${join(folder, 'runs.db')}`, log]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    started.push(child)
    for await (const line of createInterface({ input: child.stdout })) return line
    throw new Error('The server did not start.')
  }
  try {
    const first = await rpc(await start(), 'tools/call', PAY, CAN_ANSWER)
    const { requestState } = first.result!
    const gone = new Promise((resolve) => started[0]!.once('exit', resolve))
    started[0]!.kill('SIGKILL')
    await gone
    const url = await start()
    const answer = {
      ...PAY,
      requestState,
      inputResponses: { call: accept({ approve: true }) },
    }
    const changed = { ...answer, arguments: { amount: 700 } }
    expect((await rpc(url, 'tools/call', changed, CAN_ANSWER)).error).toMatchObject({
      code: -32602,
    })
    const { result } = await rpc(url, 'tools/call', answer, CAN_ANSWER)
    expect(textOfResult(result!)).toBe('paid 7')
    const third = await start()
    expect((await rpc(third, 'tools/call', answer, CAN_ANSWER)).error).toMatchObject({
      code: -32602,
      data: { reason: 'state-used' },
    })
    expect(readFileSync(log, 'utf8')).toBe('7\n')
  } finally {
    for (const child of started) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
