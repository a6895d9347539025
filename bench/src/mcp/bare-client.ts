/** The client of the SDK by itself. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { answerQuestions } from '../../../test/processes/asked-process.ts'
import { cpuOf, type AskedCalls, type Call, type McpTask } from './calls.ts'

const { program, url } = JSON.parse(process.argv[2]!) as McpTask

async function connected(over: AskedCalls['over']): Promise<Call> {
  const isHttp = over === 'http'
  const client = new Client(
    { name: 'bench', version: '1' },
    isHttp ? { versionNegotiation: { mode: 'auto' } } : {},
  )
  const transport = isHttp
    ? new StreamableHTTPClientTransport(new URL(url))
    : new StdioClientTransport({ command: process.execPath, args: [program] })
  await client.connect(transport)
  await client.listTools()
  return async (a, b) => {
    const { content } = await client.callTool({ name: 'add', arguments: { a, b } })
    const [first] = content
    return first?.type === 'text' ? first.text : ''
  }
}

const calls = { stdio: await connected('stdio'), http: await connected('http') }
const answers = {
  cpu: ({ over, calls: count }: AskedCalls): Promise<number> => cpuOf(calls[over], count),
}
export type McpAnswers = typeof answers
await answerQuestions(async () => answers)
