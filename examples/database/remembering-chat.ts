/** A chat that remembers across runs of the program: the conversation is in a file of SQLite. */
import assert from 'node:assert/strict'
import { openDatabase, sqlMemoryRepository } from '@toolwright/sql'
import { ChatClient, chatMemoryAdvisor, messageWindowMemory, textOf } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { runAgain, temporaryDatabase } from './shared/processes.ts'

/** Stands for a language model: it knows the name only if it reads it in the messages. */
const model = scriptedModel([
  ({ messages }) => {
    const name = /I am (\w+)/.exec(messages.map((message) => textOf(message)).join(' '))?.[1]
    return name === undefined ? 'I do not know you.' : `You are ${name}.`
  },
])

async function chat(address: string, question: string): Promise<void> {
  await using database = await openDatabase(address)
  const memory = messageWindowMemory({ repository: sqlMemoryRepository(database) })
  const client = ChatClient.create(model, { advisors: [chatMemoryAdvisor(memory)] })
  const answer = await client.prompt(question).conversation('table 4').call().content()
  console.log(`> ${question}\n${answer}`)
}

const [given, question] = process.argv.slice(2)
if (given !== undefined && question !== undefined) await chat(given, question)
else {
  const address = temporaryDatabase()
  assert.match(runAgain(address, 'Who am I?'), /I do not know you/)
  runAgain(address, 'I am Ada.')
  assert.match(runAgain(address, 'Who am I?'), /You are Ada/)
}
