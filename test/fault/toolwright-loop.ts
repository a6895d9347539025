/** toolwright as a contender of the fault matrix: the client, a model of the dialect, two tools. */
import { ChatClient, textOf, tool, type ChatModel } from 'toolwright'
import { anthropic } from 'toolwright/anthropic'
import { google } from 'toolwright/google'
import { ollama } from 'toolwright/ollama'
import { openai, openaiCompatible } from 'toolwright/openai'
import { z } from 'zod'
import { FAULT_ROUNDS } from '@toolwright/fault-server'
import { API_KEY, type Contender, type Question } from './run-scenario.ts'

export const toolwrightLoop: Contender = async (question) => {
  const client = ChatClient.create(modelOf(question), { limits: { rounds: FAULT_ROUNDS } })
  const request = client
    .prompt('go')
    .tools(...toolsOf(question))
    .signal(question.signal)
  if (question.mode === 'call') return request.call().content()
  const run = request.stream()
  let live = ''
  for await (const piece of run.content()) live += piece
  const answer = textOf(await run.chatResponse())
  // What was shown live must end with what is reported as the answer.
  return live.endsWith(answer) ? answer : `shown ${live}, reported ${answer}`
}

const MODELS = {
  'openai-compatible': openaiCompatible,
  anthropic,
  openai,
  google,
  ollama,
} as const

function modelOf({ dialect, baseUrl, idleTimeoutMs }: Question): ChatModel {
  return MODELS[dialect]('fault-model', {
    baseUrl,
    apiKey: API_KEY,
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
  })
}

function toolsOf({ tools }: Question) {
  return [
    tool({
      name: 'effect',
      description: 'Has an effect',
      input: z.object({ n: z.number(), s: z.string().optional() }),
      execute: (input) => tools.effect(input),
    }),
    tool({
      name: 'ping',
      description: 'Answers pong',
      input: z.object({}),
      execute: (input) => tools.ping(input),
    }),
  ]
}
