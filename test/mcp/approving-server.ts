/** A program that serves a tool with approval over HTTP, from a database that outlives it. */
import { appendFileSync } from 'node:fs'
import { tool } from 'toolwright'
import { serveTools } from '@toolwright/mcp'
import { openDatabase, sqlRunStore } from '@toolwright/sql'

const [database = '', log = ''] = process.argv.slice(2)
const runStore = sqlRunStore(await openDatabase(database))

const pay = tool({
  name: 'pay',
  description: 'Pays',
  input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  hints: { destructive: true },
  execute: ({ amount }: { amount: number }) => {
    appendFileSync(log, `${amount}\n`)
    return `paid ${amount}`
  },
})

const served = serveTools(pay, {
  name: 'bank',
  version: '1.0.0',
  runStore,
  stateSecret: 'the same for every process',
})
const { url } = await served.listen({ port: 0 })
console.log(url)
