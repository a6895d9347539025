/**
 * Mirrors level `DEBUG` for `org.springframework.ai`: all main operations are logged at debug, to
 * a logger of your own, or to stderr with `TOOLWRIGHT_LOG=debug`. No arguments or results unless
 * asked for.
 */
import assert from 'node:assert/strict'
import { ChatClient, type Logger } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { askForCustomer, CustomerTools } from './shared/customer-tools.ts'
import { received } from './shared/received.ts'

const lines: string[] = []
const write = (message: string, data?: object) =>
  void lines.push(`${message} ${JSON.stringify(data ?? {})}`)
const logger: Logger = { debug: write, info: write, warn: write, error: write }

const model = scriptedModel([askForCustomer, 'Customer 42 is Ada.'])
await ChatClient.create(model, { logger })
  .prompt('Who is customer 42?')
  .tools(new CustomerTools())
  .call()
  .content()

const log = lines.join('\n')
assert.match(log, /getCustomerInfo/)
assert.doesNotMatch(log, /Ada/, 'content only when asked for')
const results = received(model.prompts)[1]?.results
assert.deepEqual(results, ['{"id":42,"name":"Ada","email":"ada@acme.test"}'])
