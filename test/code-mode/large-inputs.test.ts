/** Many calls with large inputs are begun one by one, so that the rest of the process has its turns between them. */
import { describe, expect, it } from 'vitest'
import { ChatClient, tool, type ChatClientOptions } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { toldByTools } from '../e2e/scenario.ts'
import { program, programs } from './ways.ts'

const CALLS = 12
const all = Array.from({ length: CALLS }, (_, n) => n)

/** Notes how many turns of the event loop after the first call each runs. */
const noting = (turns: number[]) => {
  let turn = 0
  let first: number | undefined
  const count = (): void => {
    turn++
    if (turns.length < CALLS) setImmediate(count)
  }
  count()
  return tool({
    name: 'take',
    input: {
      type: 'object',
      properties: { n: { type: 'number' }, text: { type: 'string' } },
    },
    execute({ n }) {
      first ??= turn
      turns.push(turn - first)
      return n
    },
  })
}

/** In which turns the calls of a program ran that makes all of them at once. */
async function turnsOf(
  length: number,
  mode: 'call' | 'stream',
  options: ChatClientOptions,
): Promise<readonly number[]> {
  const code = `const text = 'x'.repeat(${length})
return (await Promise.all(Array.from({ length: ${CALLS} }, (_, n) => tools.take({ n, text })))).join()`
  const turns: number[] = []
  const tools = [programs([noting(turns)])]
  const client = ChatClient.create(scriptedModel([program(code), 'Done.']), { ...options, tools })
  const { messages } = await client.prompt('Go')[mode]().result()
  expect(toldByTools({ messages })[0]!.content).toBe(JSON.stringify({ result: all.join() }))
  return turns
}

for (const mode of ['call', 'stream'] as const)
  for (const isDurable of [false, true])
    describe(`calls of one turn, in a ${isDurable ? 'durable ' : ''}run (${mode})`, () => {
      const keys: string[] = []
      const durable: ChatClientOptions = { durability: { step: (key, run) => (keys.push(key), run()) } } // prettier-ignore

      it('leave the process a turn between each if their inputs are large', async () => {
        const turns = await turnsOf(40_000, mode, isDurable ? durable : {})
        expect(new Set(turns).size).toBe(CALLS)
        const steps = keys.filter((key) => /tool\/p\/\d+$/.test(key))
        const inOrder = all.map((n) => expect.stringMatching(new RegExp(`/p/${n}$`)) as string)
        expect(steps).toEqual(isDurable ? inOrder : [])
      })

      it('are begun at once if their inputs are small', async () => {
        expect(new Set(await turnsOf(40, mode, isDurable ? durable : {})).size).toBe(1)
      })
    })
