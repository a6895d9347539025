/**
 * The control of the fault matrix: a tool-calling loop over fetch as it is usually written by hand. It
 * works on a good day. It is here to show what the matrix can tell apart, and is not to be repaired.
 */
import type { FaultDialect } from '@toolwright/fault-server'
import { naiveChatCompletions } from './naive/naive-chat-completions.ts'
import { naiveGemini } from './naive/naive-gemini.ts'
import { naiveMessages } from './naive/naive-messages.ts'
import { naiveOllama } from './naive/naive-ollama.ts'
import { naiveResponses } from './naive/naive-responses.ts'
import type { Contender } from './run-scenario.ts'

const LOOPS: { readonly [dialect in FaultDialect]: Contender } = {
  'openai-compatible': naiveChatCompletions,
  anthropic: naiveMessages,
  openai: naiveResponses,
  google: naiveGemini,
  ollama: naiveOllama,
}

export const naiveLoop: Contender = (question) => LOOPS[question.dialect](question)
