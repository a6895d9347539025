/** The same calls through `mcpTools()`: each is checked, sent, read and converted as in a conversation. */
import { mcpTools } from '@toolwright/mcp'
import { answerQuestions } from '../../../test/processes/asked-process.ts'
import { cpuOf, type AskedCalls, type Call, type McpTask } from './calls.ts'

const { program, url } = JSON.parse(process.argv[2]!) as McpTask

async function connected(over: AskedCalls['over']): Promise<Call> {
  const tools = mcpTools(
    over === 'http' ? { url } : { command: process.execPath, args: [program] },
    { trust: 'trusted' },
  )
  const [add] = await tools.toolCallbacks()
  return async (a, b) => {
    const output = await add!.call(JSON.stringify({ a, b }))
    const [first] = typeof output === 'string' ? [] : output
    return typeof output === 'string' ? output : first?.type === 'text' ? first.text : ''
  }
}

const calls = { stdio: await connected('stdio'), http: await connected('http') }
await answerQuestions(async () => ({
  cpu: ({ over, calls: count }: AskedCalls): Promise<number> => cpuOf(calls[over], count),
}))
