/**
 * A run whose model writes one program. It makes 13 calls, side by side, raced and approved, and which calls it makes
 * depends on which results came first.
 */
import { codeMode, quickJsSandbox } from '@toolwright/code-mode'
import { ChatClient, type ToolCallback } from 'toolwright'
import { statelessModel } from './stateless-model.ts'

/** The id of the call that runs the program. */
export const PROGRAM = 'p'
export const PROGRAM_CALLS = 13
/** Calls that only look tell nothing. */
export const PROGRAM_EFFECTS = 10

const CODE = `
  const all = []
  const act = async (toolName, call) => {
    const said = await tools[toolName]({ call })
    all.push({ toolName, call, said })
  }
  await Promise.all([1, 2, 3].map((call) => tools.look({ call })))
  const both = [4, 5].map((call) => act('pay', call).then(() => call))
  const first = await Promise.race(both)
  await act('send', 10 + first)
  let left = 4
  const lane = async (number) => {
    while (left > 0) {
      const call = 20 + 2 * left-- + number
      await act(call % 4 < 2 ? 'send' : 'pay', call)
    }
  }
  await Promise.all([lane(0), lane(1), ...both])
  await Promise.all([act('approved', 30), act('send', 31), act('approved', 32)])
  return all
`

export function programClient(tools: readonly ToolCallback[]): ChatClient {
  const sandbox = quickJsSandbox({ workers: 0 })
  const model = statelessModel(async ({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'The program has ended.' }
      : { toolCalls: [{ id: PROGRAM, name: 'runProgram', arguments: { code: CODE } }] },
  )
  return ChatClient.create(model, {
    // How long a turn takes on a busy machine is not what is examined.
    tools: [codeMode({ tools, sandbox, limits: { turnMs: 600_000 } })],
    limits: { toolTimeoutMs: 'unlimited', parallel: 3 },
  })
}
