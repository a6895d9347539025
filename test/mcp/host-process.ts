/** A program that starts a server which does not end by itself, says its number, and waits. */
import { mcpTools } from '@toolwright/mcp'
import { rawServer } from './servers.ts'

const [echo] = await mcpTools(rawServer('stubborn')).toolCallbacks()
console.log(await echo!.call('{}'), 'runs')
setInterval(() => undefined, 1_000)
