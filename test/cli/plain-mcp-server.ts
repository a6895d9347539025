/**
 * An MCP server in plain JavaScript, for the command to start: it speaks the older protocol by hand, so that it starts
 * quickly and can do what a good server does not. Its first argument says how it behaves.
 */
export const PLAIN_SERVER = `
import { createInterface } from 'node:readline'
import { appendFileSync } from 'node:fs'
const [how = 'well'] = process.argv.slice(2)
appendFileSync('pids.txt', process.pid + '\\n')
if (how === 'dies') { console.error('no licence found'); process.exit(3) }
if (how === 'stays') { process.on('SIGTERM', () => {}); setInterval(() => {}, 1000) }
const text = { type: 'string' }
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required })
const FORM = object({
  guest: { ...text, title: 'Guest', description: 'Who sleeps there', minLength: 2 },
  nights: { type: 'integer', title: 'Nights', minimum: 1, maximum: 9, default: 2 },
  room: { ...text, title: 'Room', oneOf: [{ const: 's', title: 'Small' }, { const: 'l', title: 'Large' }] },
  breakfast: { type: 'boolean', title: 'Breakfast' },
  note: { ...text, title: 'Note' },
}, ['guest', 'room', 'breakfast'])
const TOOLS = [
  { name: 'echo', description: 'Say it again', inputSchema: object({ text }), annotations: { readOnlyHint: true } },
  { name: 'write', description: 'Write a line to a file', inputSchema: object({ line: text }) },
  { name: 'env', description: 'List the variables', inputSchema: object({}), annotations: { readOnlyHint: true } },
  { name: 'book', description: 'Book a room', inputSchema: object({}), annotations: { readOnlyHint: true } },
  { name: 'sign', description: 'Sign a contract', inputSchema: object({}), annotations: { readOnlyHint: true } },
  { name: 'hang', description: 'Never answer', inputSchema: object({}), annotations: { readOnlyHint: true } },
  ...(how === 'broken' ? [{ name: 'odd', description: 'Cannot be offered', inputSchema: { type: 'array' } }] : []),
]
const LATE = { name: 'late', description: 'Came later', inputSchema: object({}), annotations: { readOnlyHint: true } }
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const asked = new Map()
const ask = (params) => new Promise((answer) => {
  const id = 'ask-' + asked.size
  asked.set(id, answer)
  send({ id, method: 'elicitation/create', params })
})
const CALLS = {
  echo: ({ text }) => text,
  write: ({ line }) => { appendFileSync('written.txt', line + '\\n'); return 'written' },
  env: () => Object.keys(process.env).sort().join(' ') + (process.env.TOKEN ? ' TOKEN is ' + process.env.TOKEN.length : ''),
  book: async () => JSON.stringify(await ask({ message: 'Who comes, and for how long?', requestedSchema: FORM })),
  sign: async () => JSON.stringify(await ask({
    mode: 'url', message: 'Please sign.', url: 'https://example.com/sign?id=7', elicitationId: 'e-7',
  })),
  hang: () => new Promise(() => {}),
}
const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'plain', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': async ({ name, arguments: input }) => {
    if (how === 'dies-in-call') process.exit(4)
    if (how === 'grows') {
      TOOLS.push(LATE)
      send({ method: 'notifications/tools/list_changed' })
    }
    return { content: [{ type: 'text', text: await CALLS[name](input) }] }
  },
  ping: () => ({}),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line)
  if (how === 'silent') continue
  if (method === undefined) asked.get(id)?.(result)
  else if (id !== undefined && METHODS[method])
    Promise.resolve(METHODS[method](params)).then((result) => send({ id, result }))
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'Unknown method' } })
}
`
