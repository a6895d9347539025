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
const write = (level: string) => (message: string, data?: object) =>
  void lines.push(`${level}: ${message}`, JSON.stringify(data ?? {}))
const logger: Logger = {
  debug: write('debug'),
  info: write('info'),
  warn: write('warn'),
  error: write('error'),
}

const model = scriptedModel([askForCustomer, 'Customer 42 is Ada.'])
await ChatClient.create(model, { logger })
  .prompt('Who is customer 42?')
  .tools(new CustomerTools())
  .call()
  .content()

const said = lines.filter((_line, index) => index % 2 === 0)
assert.deepEqual(said, [
  'debug: client scripted started',
  'debug: advisor tool-calling started',
  'debug: round 1 started',
  'debug: model scripted started',
  'debug: model scripted ended',
  'debug: tool getCustomerInfo started',
  'debug: tool getCustomerInfo ended',
  'debug: round 1 ended',
  'debug: round 2 started',
  'debug: model scripted started',
  'debug: model scripted ended',
  'debug: round 2 ended',
  'debug: advisor tool-calling ended',
  'debug: client scripted ended',
])
assert.doesNotMatch(lines.join('\n'), /Ada|acme|"id":42|Who is/, 'content only when asked for')
const results = received(model.prompts)[1]?.results
assert.deepEqual(results, ['{"id":42,"name":"Ada","email":"ada@acme.test"}'])
