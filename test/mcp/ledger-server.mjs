/**
 * A server (2025-11-25) over stdin and stdout that writes each effect to a file, `LEDGER`, and kills itself where it is
 * told to: before the effect, after it, in the middle of its answer, or after that.
 */
import { appendFileSync, readFileSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const send = (message) => writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const die = () => process.kill(process.pid, 'SIGKILL')
const tried = () => readFileSync(process.env.LEDGER, 'utf8')
const inputSchema = { type: 'object', properties: { id: { type: 'string' }, cut: {} } }

function call(id, { name, arguments: { id: effect, cut } }) {
  // Looking is cut the first time only, so that a second try has an answer.
  const isCut = name === 'pay' || !tried().includes(`try:${name} ${effect}\n`)
  appendFileSync(process.env.LEDGER, `try:${name} ${effect}\n`)
  if (isCut && cut === 'before') return die()
  appendFileSync(process.env.LEDGER, `${name} ${effect}\n`)
  if (isCut && cut === 'after') return die()
  const answer = { id, result: { content: [{ type: 'text', text: `${name} ${effect}` }] } }
  if (isCut && cut === 'answer') {
    writeSync(1, JSON.stringify({ jsonrpc: '2.0', ...answer }).slice(0, 40))
    return die()
  }
  send(answer)
  if (isCut && cut === 'late') die()
}

const METHODS = {
  initialize: (id, { protocolVersion }) =>
    send({
      id,
      result: {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'ledger', version: '1' },
      },
    }),
  'tools/list': (id) =>
    send({
      id,
      result: {
        tools: [
          { name: 'pay', inputSchema },
          { name: 'look', inputSchema, annotations: { readOnlyHint: true } },
        ],
      },
    }),
  'tools/call': call,
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  METHODS[method]?.(id, params ?? {})
})
