/** A program without a word about logging. What it prints besides its answer is up to TOOLWRIGHT_LOG. */
import { ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

console.log(
  await ChatClient.create(scriptedModel(['Hi.']))
    .prompt('Go')
    .call()
    .content(),
)
