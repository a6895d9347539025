import { AssertionError } from 'node:assert'
import { faultServer, type FaultDialect } from '@toolwright/fault-server'
import { describe, expect, it } from 'vitest'
import { ProviderError } from '../errors/errors.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { AssistantPart } from '../messages/message.ts'
import type { ChatModel, ChatOptions, Prompt } from '../model/chat-model.ts'
import { withToolExecution } from '../client/with-tool-execution.ts'
import { fallbackModel } from '../model/fallback-model.ts'
import { promptedTools } from '../model/prompted-tools/prompted-tools.ts'
import { anthropic } from '../providers/anthropic/index.ts'
import { google } from '../providers/google/index.ts'
import { ollama } from '../providers/ollama/index.ts'
import { openai, openaiCompatible } from '../providers/openai/index.ts'
import { chatModelContract } from './chat-model-contract/chat-model-contract.ts'
import type {
  ChatModelContractSetup,
  ContractAnswer,
  ContractTurn,
} from './chat-model-contract/model-under-test.ts'
import { scriptedModel, type ScriptedAnswer } from './scripted-model.ts'

const API_KEY = 'the-key-of-the-contract-suite'

/** Fails before it has shown anything, unless somebody changed his mind. */
const neverThere: ChatModel = {
  ...scriptedModel([]),
  async call(_prompt, run) {
    run?.signal?.throwIfAborted()
    throw new ProviderError('provider-unreachable', 'Nobody there.', { provider: 'x' })
  },
  async *stream(prompt, run) {
    yield { type: 'response', response: await neverThere.call(prompt, run) }
  },
}

type Make = (baseUrl: string, options: ChatOptions) => ChatModel
const unchanged = (model: ChatModel): ChatModel => model

function overHttp(dialect: FaultDialect, make: Make, change = unchanged): ChatModelContractSetup {
  return {
    seesRequests: true,
    secrets: [API_KEY],
    async create(turns, options) {
      const server = await faultServer({ dialect, turns })
      return {
        model: change(make(server.baseUrl, options)),
        sent: () => server.requests.map((request) => request.text),
        close: () => server.close(),
      }
    },
  }
}

const compatible: Make = (baseUrl, options) =>
  openaiCompatible('any', { baseUrl, apiKey: API_KEY, options })
const messages: Make = (baseUrl, options) => anthropic('any', { baseUrl, apiKey: API_KEY, options })
const responses: Make = (baseUrl, options) => openai('any', { baseUrl, apiKey: API_KEY, options })
const gemini: Make = (baseUrl, options) => google('any', { baseUrl, apiKey: API_KEY, options })
const lines: Make = (baseUrl, options) => ollama('any', { baseUrl, apiKey: API_KEY, options })

const scripted = (change = unchanged): ChatModelContractSetup => ({
  create: (turns, options) => ({ model: change(scriptedModel(turns.map(toStep), { options })) }),
})

function toStep(turn: ContractTurn): ScriptedAnswer {
  if ('status' in turn) {
    const { status, message } = turn
    return { error: new ProviderError('provider-rejected', message, { provider: 'x', status }) }
  }
  return {
    parts: partsOf(turn),
    ...(turn.finish && { finishReason: turn.finish }),
    ...(turn.usage && { usage: turn.usage }),
    hang: turn.ending === 'stall',
  }
}

const partsOf = ({ reasoning, text, toolCalls = [] }: ContractAnswer): AssistantPart[] => [
  ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
  ...(text === undefined ? [] : [{ type: 'text' as const, text: text.join('') }]),
  ...toolCalls.map(({ id, name, arguments: pieces }) => {
    return { type: 'tool-call' as const, id, name, arguments: pieces.join('') }
  }),
]

describe('the scripted model keeps the contract', () => {
  for (const { name, run } of chatModelContract(scripted())) it(name, run)
})
describe('openaiCompatible keeps the contract', () => {
  const setup = overHttp('openai-compatible', compatible)
  for (const { name, run } of chatModelContract(setup)) it(name, run)
})
describe('anthropic keeps the contract', () => {
  for (const { name, run } of chatModelContract(overHttp('anthropic', messages))) it(name, run)
})
describe('openai keeps the contract', () => {
  for (const { name, run } of chatModelContract(overHttp('openai', responses))) it(name, run)
})
describe('google keeps the contract', () => {
  for (const { name, run } of chatModelContract(overHttp('google', gemini))) it(name, run)
})
describe('ollama keeps the contract', () => {
  for (const { name, run } of chatModelContract(overHttp('ollama', lines))) it(name, run)
})

describe('fallbackModel keeps the contract', () => {
  const after = (model: ChatModel): ChatModel => fallbackModel([neverThere, model])
  for (const { name, run } of chatModelContract(scripted(after))) it(`scripted: ${name}`, run)
  const setup = overHttp('openai-compatible', compatible, after)
  for (const { name, run } of chatModelContract(setup)) it(`over HTTP: ${name}`, run)
  const alone = scripted((model) => fallbackModel([model, neverThere]))
  for (const { name, run } of chatModelContract(alone)) it(`first: ${name}`, run)
})

describe('withToolExecution keeps the contract', () => {
  // The suite wants calls back unexecuted: once through the loop, once past it.
  const through = (model: ChatModel): ChatModel =>
    withToolExecution(model, { eligible: () => false })
  for (const { name, run } of chatModelContract(scripted(through))) it(`scripted: ${name}`, run)
  const setup = overHttp('anthropic', messages, through)
  for (const { name, run } of chatModelContract(setup)) it(`over HTTP: ${name}`, run)
  const past = (model: ChatModel): ChatModel =>
    withToolExecution({ ...model, options: { ...model.options, internalToolExecution: false } })
  for (const { name, run } of chatModelContract(scripted(past))) it(`switched off: ${name}`, run)
})

describe('promptedTools keeps the contract', () => {
  // The provider's calls are written into its text; the suite's ids go along.
  const written = (turn: ContractTurn): ContractTurn => {
    if ('status' in turn || !turn.toolCalls) return turn
    const { toolCalls, ...rest } = turn
    const blocks = toolCalls.flatMap(({ id, name, arguments: pieces }) => [
      `\n<tool_call>{"id":"${id}","name":"${name}","arguments":`,
      ...pieces,
      '}</tool_call>',
    ])
    return { ...rest, text: [...(turn.text ?? []), ...blocks] }
  }
  const over = (setup: ChatModelContractSetup): ChatModelContractSetup => ({
    ...setup,
    create: (turns, options) => setup.create(turns.map(written), options),
  })
  const scriptedSuite = chatModelContract(over(scripted(promptedTools)))
  for (const { name, run } of scriptedSuite) it(`scripted: ${name}`, run)
  const setup = over(overHttp('openai-compatible', compatible, promptedTools))
  for (const { name, run } of chatModelContract(setup)) it(`over HTTP: ${name}`, run)
})

/** A model with another way to answer. */
type Change = (model: ChatModel) => Partial<ChatModel>
type Rewrite = (events: readonly ChatEvent[]) => readonly ChatEvent[]

const streaming =
  (rewrite: Rewrite): Change =>
  (model) => ({
    async *stream(prompt, run) {
      const events: ChatEvent[] = []
      for await (const event of model.stream(prompt, run)) events.push(event)
      yield* rewrite(events)
    },
  })

const answering =
  (rewrite: (response: ChatResponse) => ChatResponse): Change =>
  (model) => ({ call: async (prompt, run) => rewrite(await model.call(prompt, run)) })

const prompting =
  (rewrite: (prompt: Prompt, model: ChatModel) => Prompt): Change =>
  (model) => ({
    call: (prompt, run) => model.call(rewrite(prompt, model), run),
    stream: (prompt, run) => model.stream(rewrite(prompt, model), run),
  })

const failing =
  (rewrite: (error: unknown) => unknown): Change =>
  (model) => ({
    call: (prompt, run) =>
      model.call(prompt, run).catch((error: unknown) => {
        throw rewrite(error)
      }),
    async *stream(prompt, run) {
      try {
        yield* model.stream(prompt, run)
      } catch (error) {
        throw rewrite(error)
      }
    },
  })

/** Without the first event of a kind. */
const without =
  (kind: ChatEvent['type']): Rewrite =>
  (events) =>
    events.toSpliced(
      events.findIndex((event) => event.type === kind),
      1,
    )

/** The last response with something else in its only generation. */
const ending =
  (change: (response: ChatResponse) => ChatResponse): Rewrite =>
  (events) =>
    events.map((event) =>
      event.type === 'response' ? { ...event, response: change(event.response) } : event,
    )

interface Broken {
  readonly what: string
  readonly rejectedBy: string
  readonly change: Change
}

const ONE_RESPONSE = 'a stream has exactly one response event, and it is the last'
const IN_ORDER = 'a stream tells the parts in the order of the message'
const STREAMED_CALL =
  'a streamed call starts, comes in pieces that join to its arguments, and is complete'
const SAME_ANSWER = 'a stream ends with the response a call gives (calls)'
const CALLED_TEXT = 'a called model answers text, with its finish reason and usage'

const BROKEN: readonly Broken[] = [
  {
    what: 'emits its response twice',
    rejectedBy: ONE_RESPONSE,
    change: streaming((events) => [...events, events.at(-1)!]),
  },
  {
    what: 'ends its stream without a response',
    rejectedBy: ONE_RESPONSE,
    change: streaming(without('response')),
  },
  {
    what: 'says something after its response',
    rejectedBy: ONE_RESPONSE,
    change: streaming((events) => [...events, { type: 'text-delta', text: '' }]),
  },
  {
    what: 'emits events of the loop',
    rejectedBy: ONE_RESPONSE,
    change: streaming((events) => [
      { type: 'round-end', response: { results: [], usage: {}, metadata: {} } },
      ...events,
    ]),
  },
  {
    what: 'drops a text delta',
    rejectedBy: 'the text deltas of a stream join to the text',
    change: streaming(without('text-delta')),
  },
  {
    what: 'drops a delta of a call',
    rejectedBy: STREAMED_CALL,
    change: streaming(without('tool-call-delta')),
  },
  {
    what: 'forgets to start a call',
    rejectedBy: STREAMED_CALL,
    change: streaming(without('tool-call-start')),
  },
  {
    what: 'tells a call before its pieces',
    rejectedBy: STREAMED_CALL,
    change: streaming((events) => events.toSorted((a, b) => rank(a) - rank(b))),
  },
  {
    what: 'reorders its calls in the stream',
    rejectedBy: IN_ORDER,
    change: streaming((events) => {
      const calls = events.filter((event) => event.type === 'tool-call').reverse()
      return events.map((event) => (event.type === 'tool-call' ? calls.shift()! : event))
    }),
  },
  {
    what: 'tells its thoughts at the end',
    rejectedBy: 'a stream tells thoughts in the order of the message',
    change: streaming((events) => {
      const thought = events.find((event) => event.type === 'part')!
      return [...without('part')(events).slice(0, -1), thought, events.at(-1)!]
    }),
  },
  {
    what: 'drops what the model thought',
    rejectedBy: 'what the model thought is a part before the rest',
    change: answering((response) =>
      withContent(response, (parts) => parts.filter((part) => part.type !== 'reasoning')),
    ),
  },
  {
    what: 'loses a call when called',
    rejectedBy: 'a called model returns the calls unexecuted, in order, with their raw arguments',
    change: answering((response) => withContent(response, (parts) => parts.slice(0, -1))),
  },
  {
    what: 'loses the usage of a stream',
    rejectedBy: SAME_ANSWER,
    change: streaming(ending((response) => ({ ...response, usage: {} }))),
  },
  {
    what: 'reports every stream as stopped',
    rejectedBy: SAME_ANSWER,
    change: streaming(
      ending((response) => ({
        ...response,
        results: response.results.map((result) => ({ ...result, finishReason: 'stop' })),
      })),
    ),
  },
  {
    what: 'answers without metadata',
    rejectedBy: CALLED_TEXT,
    change: answering((response) => ({ ...response, metadata: undefined as never })),
  },
  {
    what: 'answers with what is no JSON',
    rejectedBy: CALLED_TEXT,
    change: answering((response) => ({ ...response, metadata: { at: new Date(0) as never } })),
  },
  {
    what: 'ignores the signal when called',
    rejectedBy: 'call: an abort on the way rejects with its reason',
    change: (model) => ({ call: (prompt) => model.call(prompt) }),
  },
  {
    what: 'ignores the signal when streaming',
    rejectedBy: 'stream: an abort on the way rejects with its reason',
    change: (model) => ({ stream: (prompt) => model.stream(prompt) }),
  },
  {
    what: 'ignores a signal that was aborted before',
    rejectedBy: 'stream: a signal aborted before rejects with its reason',
    change: (model) => ({ stream: (prompt) => model.stream(prompt) }),
  },
  {
    what: 'wraps the reason of an abort',
    rejectedBy: 'call: a signal aborted before rejects with its reason',
    change: failing((cause) => new Error('aborted', { cause })),
  },
  {
    what: 'leaves a listener on the signal',
    rejectedBy: 'call: no listener stays on the signal',
    change: (model) => ({
      call(prompt, run) {
        run?.signal?.addEventListener('abort', () => {})
        return model.call(prompt, run)
      },
    }),
  },
  {
    what: 'rejects with a bare error',
    rejectedBy: 'call: a refusal rejects with an error of the catalogue',
    change: failing((error) => new Error((error as Error).message)),
  },
  {
    what: 'answers a refusal with silence',
    rejectedBy: 'stream: a refusal rejects with an error of the catalogue',
    change: (model) => ({
      async *stream(prompt, run) {
        try {
          yield* model.stream(prompt, run)
        } catch {
          yield { type: 'response', response: { results: [], usage: {}, metadata: {} } }
        }
      },
    }),
  },
  {
    what: 'adds to the prompt it was given',
    rejectedBy: "call: the prompt, its options and the model's own stay as they are",
    change: prompting((prompt) => {
      ;(prompt.messages as unknown[]).push({ role: 'user', content: 'Please.' })
      return prompt
    }),
  },
  {
    what: 'writes into its own options',
    rejectedBy: "stream: the prompt, its options and the model's own stay as they are",
    change: prompting((prompt, model) => {
      Object.assign(model.options, prompt.options)
      return prompt
    }),
  },
  ...['text', 'length', 'thoughts'].map((kind) => ({
    what: `streams another message than it gives when called (${kind})`,
    rejectedBy: `a stream ends with the response a call gives (${kind})`,
    change: streaming(ending((response) => ({ ...response, usage: { totalTokens: 1 } }))),
  })),
  {
    what: 'takes a cut answer for a whole one',
    rejectedBy: 'an answer cut at the token limit says so',
    change: answering((response) => ({
      ...response,
      results: response.results.map((result) => ({ ...result, finishReason: 'stop' })),
    })),
  },
  {
    what: 'repeats a piece of its thoughts',
    rejectedBy: 'the reasoning deltas of a stream join to the thought',
    change: streaming((events) => [{ type: 'reasoning-delta', text: 'Hm. ' }, ...events]),
  },
  {
    what: 'leaves a listener on the signal of a stream',
    rejectedBy: 'stream: no listener stays on the signal',
    change: (model) => ({
      stream(prompt, run) {
        run?.signal?.addEventListener('abort', () => {})
        return model.stream(prompt, run)
      },
    }),
  },
  {
    what: 'does not let a reader go',
    rejectedBy: 'a reader that leaves a stream early is let go, and the model can be asked again',
    change: (model) => ({
      async *stream(prompt, run) {
        try {
          yield* model.stream(prompt, run)
        } finally {
          await new Promise(() => {})
        }
      },
    }),
  },
]

const rank = (event: ChatEvent): number =>
  event.type === 'tool-call-start' ? 0 : event.type === 'tool-call' ? 1 : 2

function withContent(
  response: ChatResponse,
  change: (parts: readonly AssistantPart[]) => readonly AssistantPart[],
): ChatResponse {
  const results = response.results.map((result) => {
    const { content } = result.message
    if (typeof content === 'string') return result
    return { ...result, message: { ...result.message, content: change(content) } }
  })
  return { ...response, results }
}

const BROKEN_REQUESTS: readonly Broken[] = [
  {
    what: 'forgets the tools',
    rejectedBy: 'the definitions of the offered tools are sent',
    change: prompting(({ options, ...prompt }) => ({
      ...prompt,
      options: { ...options, tools: [] },
    })),
  },
  {
    what: 'sends the tool context',
    rejectedBy: 'the tool context is never sent',
    change: prompting((prompt) => ({
      ...prompt,
      messages: [
        { role: 'system', content: JSON.stringify(prompt.options?.toolContext ?? {}) },
        ...prompt.messages,
      ],
    })),
  },
  {
    what: "lets its own options win over the prompt's",
    rejectedBy: "the model's options are overlaid by the prompt's, field by field",
    change: prompting((prompt, model) => ({
      ...prompt,
      options: { ...prompt.options, ...model.options },
    })),
  },
  {
    what: "adds the prompt's tools to its own",
    rejectedBy: "the prompt's tools replace the model's",
    change: prompting((prompt, model) => {
      const tools = [...(model.options.tools ?? []), ...(prompt.options?.tools ?? [])]
      return { ...prompt, options: { ...prompt.options, tools } }
    }),
  },
  {
    what: 'forgets its own tools',
    rejectedBy: 'without tools in the prompt the model offers its own',
    change: prompting((prompt) => ({ ...prompt, options: { tools: [], ...prompt.options } })),
  },
  {
    what: 'sends only the last message',
    rejectedBy: 'a conversation with calls and results is sent whole and in order',
    change: prompting((prompt) => ({ ...prompt, messages: prompt.messages.slice(-1) })),
  },
  ...['call', 'stream'].map((mode) => ({
    what: `leaves unknown tool names out (${mode})`,
    rejectedBy: `${mode}: a tool name nobody knows is an error before anything is sent`,
    change: prompting((prompt) => {
      const { toolNames: _names, ...options } = prompt.options ?? {}
      return { ...prompt, options }
    }),
  })),
  {
    what: 'asks twice for one answer',
    rejectedBy: 'the definitions of the offered tools are sent',
    change: (model) => ({
      async call(prompt, run) {
        await model.call(prompt, run)
        return model.call(prompt, run)
      },
    }),
  },
  ...['call', 'stream'].map((mode) => ({
    what: `shows its key in the cause of an error (${mode})`,
    rejectedBy: `${mode}: an error shows no key, even if the provider repeats it`,
    change: failing(() => new Error('Refused', { cause: { headers: { key: API_KEY } } })),
  })),
]

const PATIENCE_MS = 250

const spoil =
  (change: Change) =>
  (model: ChatModel): ChatModel => ({ ...model, ...change(model) })

async function expectRejected(setup: ChatModelContractSetup, rejectedBy: string): Promise<void> {
  const suite = chatModelContract({ ...setup, patienceMs: PATIENCE_MS })
  const named = suite.filter((candidate) => candidate.name === rejectedBy)
  expect(named).toHaveLength(1)
  await expect(named[0]!.run()).rejects.toBeInstanceOf(AssertionError)
}

describe('the contract rejects a model that', () => {
  for (const { what, rejectedBy, change } of BROKEN)
    it(what, () => expectRejected(scripted(spoil(change)), rejectedBy))
  for (const { what, rejectedBy, change } of BROKEN_REQUESTS)
    it(what, () =>
      expectRejected(overHttp('openai-compatible', compatible, spoil(change)), rejectedBy),
    )

  it('no case is without a model it rejects', () => {
    const proven = new Set([...BROKEN, ...BROKEN_REQUESTS].map(({ rejectedBy }) => rejectedBy))
    const names = chatModelContract({ ...scripted(), seesRequests: true, secrets: ['key'] }).map(
      ({ name }) => name,
    )
    expect(names.filter((name) => !proven.has(name))).toEqual([])
  })
})
