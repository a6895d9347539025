/** A program that serves tools by `serveTools()`, over stdin and stdout or, with `http`, at an address that it prints. */
import { appendFileSync, existsSync } from 'node:fs'
import { serveTools } from '@toolwright/mcp'
import { tool } from 'toolwright'
import { addition, deletion } from '../../packages/mcp/src/server/served-tools.cases.ts'

const log = (line: string): void => appendFileSync(process.env.CALL_LOG!, `${line}\n`)

const add = tool({ ...addition, hints: { readOnly: true } })

const count = tool({
  name: 'count',
  description: 'Counts to three',
  input: { type: 'object', properties: {} },
  async *execute() {
    for (const step of [1, 2, 3]) {
      yield { progress: step, total: 3 }
      await heard(step)
    }
    return 'counted'
  },
})

/** The SDK's clients lose progress that comes together with the result, so that each step waits until it was heard. */
async function heard(step: number): Promise<void> {
  while (!existsSync(`${process.env.CALL_LOG!}.${step}`))
    await new Promise((resolve) => setTimeout(resolve, 5))
}

const wait = tool({
  name: 'wait',
  description: 'Waits until it is told to stop',
  input: { type: 'object', properties: {} },
  execute: (_input: unknown, { signal, progress }) => {
    progress({ progress: 1 })
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        log('stopped')
        reject(signal.reason as Error)
      }),
    )
  },
})

const deleteFile = deletion((path) => log(`deleted ${path}`))
const served = serveTools([add, count, wait, deleteFile], { name: 'served', version: '1.0.0' })
if (process.argv[2] === 'http') console.log((await served.listen({ port: 0 })).url)
else await served.stdio()
