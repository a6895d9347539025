import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import { ResumeError, ToolExecutionError, ToolwrightError } from '../errors/errors.ts'
import { nearestNames } from '../internal/nearest-names.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { AssistantPart, ToolCall, ToolResponse } from '../messages/message.ts'
import type { Decision, Decisions } from '../messages/run-state.ts'
import type { Prompt } from '../model/chat-model.ts'
import { toolCallingManager } from '../tool-calling/default-tool-calling-manager.ts'
import type { Limits } from '../run/limits.ts'
import type { ToolCallingManagerOptions } from '../tool-calling/manager-options.ts'
import { inMemoryRunStore } from '../run/in-memory-run-store.ts'
import type { ToolExecutionResult, ToolExecutionRun } from '../tool-calling/tool-calling-manager.ts'
import { bodyOf, TOOL_BODY, type ToolBody } from '../tools/tool-body.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import type { ToolMetadata } from '../tools/tool-metadata.ts'
import type { CreateManager } from './tool-calling-manager-contract/manager-trial.ts'
import { toolCallingManagerContract } from './tool-calling-manager-contract/tool-calling-manager-contract.ts'

const PATIENCE_MS = 100

describe('the default manager keeps the contract', () => {
  for (const { name, run } of toolCallingManagerContract(toolCallingManager)) it(name, run)
})

interface Request {
  readonly prompt: Prompt
  readonly response: ChatResponse
  readonly run: ToolExecutionRun
}
type Execute = (request: Request) => Promise<ToolExecutionResult>

/** The default manager with something wrong around it. */
const around =
  (
    execute: (
      request: Request,
      inner: Execute,
      options: ToolCallingManagerOptions,
    ) => Promise<ToolExecutionResult>,
  ): CreateManager =>
  (options) => {
    const manager = toolCallingManager(options)
    const inner: Execute = ({ prompt, response, run }) =>
      manager.executeToolCalls(prompt, response, run)
    return {
      ...manager,
      executeToolCalls: (prompt, response, run = {}) =>
        execute({ prompt, response, run }, inner, options),
    }
  }

const configured =
  (change: (options: ToolCallingManagerOptions) => ToolCallingManagerOptions): CreateManager =>
  (options) =>
    toolCallingManager({ ...options, ...change(options) })

const limited = (limits: Partial<Limits>): CreateManager =>
  configured((options) => ({ limits: { ...options.limits, ...limits } }))

const asking = (change: (request: Request) => Partial<Request>): CreateManager =>
  around((request, inner) => inner({ ...request, ...change(request) }))

const running = (change: (run: ToolExecutionRun) => Partial<ToolExecutionRun>): CreateManager =>
  asking(({ run }) => ({ run: { ...run, ...change(run) } }))

const telling = (
  change: (result: ToolExecutionResult, request: Request) => Partial<ToolExecutionResult>,
): CreateManager =>
  around(async (request, inner) => {
    const result = await inner(request)
    return { ...result, ...change(result, request) }
  })

const responding = (change: (response: ToolResponse) => ToolResponse): CreateManager =>
  telling(({ responses }) => ({ responses: responses.map(change) }))

const offering = (change: (tool: ToolCallback, prompt: Prompt) => ToolCallback): CreateManager =>
  asking(({ prompt }) => {
    const tools = (prompt.options?.tools ?? []) as readonly ToolCallback[]
    return {
      prompt: {
        ...prompt,
        options: { ...prompt.options, tools: tools.map((tool) => change(tool, prompt)) },
      },
    }
  })

const offeringMetadata = (change: Partial<ToolMetadata>): CreateManager =>
  offering((tool) => ({ ...tool, metadata: { ...tool.metadata, ...change } }))

const offeringBody = (
  change: (body: ToolBody, prompt: Prompt, tool: ToolCallback) => Partial<ToolBody>,
): CreateManager =>
  offering((tool, prompt) => {
    const body = bodyOf(tool)
    return body
      ? ({ ...tool, [TOOL_BODY]: { ...body, ...change(body, prompt, tool) } } as ToolCallback)
      : tool
  })

const calling = (change: (call: ToolCall, prompt: Prompt) => ToolCall): CreateManager =>
  asking(({ prompt, response }) => ({
    response: withParts(response, (part) =>
      part.type === 'tool-call' ? change(part, prompt) : part,
    ),
  }))

const arguing = (change: (text: string) => string): CreateManager =>
  calling((call) => ({ ...call, arguments: change(call.arguments) }))

function withParts(
  response: ChatResponse,
  change: (part: AssistantPart) => AssistantPart,
): ChatResponse {
  const results = response.results.map((result) => {
    const content = result.message.content as readonly AssistantPart[]
    return { ...result, message: { ...result.message, content: content.map(change) } }
  })
  return { ...response, results }
}

const emitting = (keep: (event: ChatEvent) => boolean): CreateManager =>
  running(({ emit }) => ({ emit: (event) => (keep(event) ? emit?.(event) : undefined) }))

const deciding = (change: (decision: Decision) => Decision): CreateManager =>
  running(({ decisions }) =>
    decisions
      ? {
          decisions: Object.fromEntries(
            Object.entries(decisions).map(([id, decision]) => [id, change(decision)]),
          ),
        }
      : {},
  )

const catching = (
  code: string,
  instead: (request: Request, inner: Execute) => Promise<ToolExecutionResult>,
): CreateManager =>
  around((request, inner) =>
    inner(request).catch((error: unknown) => {
      if (ToolwrightError.is(error) && error.code === code) return instead(request, inner)
      throw error
    }),
  )

const finished = (request: Request): ChatResponse => ({
  ...request.response,
  results: request.response.results.map((result) => ({ ...result, finishReason: 'tool-calls' })),
})

const NOTHING: ToolExecutionResult = { responses: [], conversationHistory: [], returnDirect: false }

const contextOf = (context: ToolContext, values: object): ToolContext => ({
  values: values as ToolContext['values'],
  get: (key) => (values as ToolContext['values'])[key],
  signal: context.signal,
  callId: context.callId,
  toolName: context.toolName,
  attempt: context.attempt,
  idempotencyKey: context.idempotencyKey,
  progress: (value) => context.progress(value),
  suspend: (question) => context.suspend(question),
})

function spying(tool: ToolCallback, onError: (error: unknown) => void): ToolCallback {
  const body = bodyOf(tool)!
  const run: ToolBody['run'] = (input, context) => {
    try {
      return body.run(input, context)
    } catch (error) {
      onError(error)
      throw error
    }
  }
  return { ...tool, [TOOL_BODY]: { ...body, run } } as ToolCallback
}

/** What is wrong, the manager, and the case that must find it. */
type Broken = readonly [what: string, create: CreateManager, rejectedBy: string]

const BROKEN_BATCHES: readonly Broken[] = [
  [
    'runs one call after another',
    limited({ parallel: 1 }),
    'the calls of a batch run at the same time',
  ],
  [
    'runs everything at once',
    limited({ parallel: 'unlimited' }),
    'at most limits.parallel calls run at the same time',
  ],
  [
    'answers in the order of completion',
    around(async (request, inner) => {
      const done: string[] = []
      const emit = (event: ChatEvent): void => {
        if (event.type === 'tool-result') done.push(event.toolCall.id)
        request.run.emit?.(event)
      }
      const result = await inner({ ...request, run: { ...request.run, emit } })
      const responses = result.responses.toSorted((a, b) => done.indexOf(a.id) - done.indexOf(b.id))
      return { ...result, responses }
    }),
    'results come in the order of the calls, whatever is ready first',
  ],
  [
    'makes one tool message for each result',
    telling(({ conversationHistory, responses }) => ({
      conversationHistory: [
        ...conversationHistory.slice(0, -1),
        ...responses.map((response) => ({ role: 'tool' as const, responses: [response] })),
      ],
    })),
    'a batch makes one tool message, after the prompt and the assistant message',
  ],
  [
    'runs everything twice',
    around(async (request, inner) => (await inner(request), inner(request))),
    'each call runs once',
  ],
  [
    'runs whatever its resolver knows',
    around((request, inner, { resolver }) => {
      const toolNames = resolver?.names?.() ?? []
      const options = { ...request.prompt.options, toolNames }
      return inner({ ...request, prompt: { ...request.prompt, options } })
    }),
    'a tool that was not offered in this round is not run',
  ],
  [
    'forgets tools offered by name',
    asking(({ prompt }) => ({
      prompt: { ...prompt, options: { ...prompt.options, toolNames: [] } },
    })),
    'a tool offered by name is found by the resolver and run',
  ],
  [
    'gives the definitions in another order',
    (options) => {
      const manager = toolCallingManager(options)
      return {
        ...manager,
        resolveToolDefinitions: async (offered) =>
          (await manager.resolveToolDefinitions(offered)).toReversed(),
      }
    },
    'the definitions are those of the offered tools, in order',
  ],
  [
    'shrugs at a response without calls',
    catching('no-tool-call', async () => NOTHING),
    'a response without tool calls is an error of the caller',
  ],
  [
    'takes the last generation',
    asking(({ response }) => ({
      response: { ...response, results: response.results.toReversed() },
    })),
    'of several generations the first with tool calls counts',
  ],
  [
    'writes its results into the prompt',
    telling(({ responses }, { prompt }) => {
      ;(prompt.messages as unknown[]).push({ role: 'tool', responses })
      return {}
    }),
    'the prompt and the response stay as they are',
  ],
  [
    'announces nothing',
    emitting(() => false),
    'every call is announced when it starts and when its result is there',
  ],
  [
    'keeps progress to itself',
    emitting((event) => event.type !== 'tool-progress'),
    'what a tool yields and reports is progress, in order',
  ],
  [
    'has no locks',
    offeringMetadata({ lock: undefined }),
    'calls of one lock key run one after another, also in different batches',
  ],
  [
    'has locks for each batch alone',
    (options) => {
      const manager = toolCallingManager(options)
      return {
        ...manager,
        executeToolCalls: (...request) => toolCallingManager(options).executeToolCalls(...request),
      }
    },
    'calls of one lock key run one after another, also in different batches',
  ],
  [
    'locks readers out',
    offeringMetadata({ hints: {} }),
    'calls of different lock keys, and read-only ones, run side by side',
  ],
  [
    'returns a mixed batch directly',
    telling(({ responses }, { prompt }) => ({
      returnDirect: responses.some(({ name }) =>
        (prompt.options?.tools as readonly ToolCallback[]).some(
          ({ definition, metadata }) => definition.name === name && metadata.returnDirect,
        ),
      ),
    })),
    'return direct holds only if every call asks for it and none failed',
  ],
  [
    'does not tell durability which call a step runs',
    configured(({ durability }) => ({
      durability: { step: (key, run) => durability!.step(key, run) },
    })),
    'a call goes through durability, and one that is recorded is not run again',
  ],
  [
    'goes past durability',
    configured(() => ({ durability: { step: (_key, run) => run() } })),
    'a call goes through durability, and one that is recorded is not run again',
  ],
]

const BROKEN_REFUSALS: readonly Broken[] = [
  [
    'runs the tool of the nearest name',
    calling((call, prompt) => {
      const names = (prompt.options?.tools as readonly ToolCallback[]).map(
        (tool) => tool.definition.name,
      )
      return { ...call, name: nearestNames(call.name, names)[0] ?? call.name }
    }),
    'an unknown tool is answered with the nearest names, and the others run',
  ],
  [
    'does not say which tools there are',
    responding((response) =>
      response.isError ? { ...response, content: 'No such tool.' } : response,
    ),
    'an unknown tool is answered with the nearest names, and the others run',
  ],
  [
    'mends JSON',
    arguing((text) => text.replace(',}', '}')),
    'arguments that are not complete, strict JSON are an error, and the tool is not run',
  ],
  [
    'completes what was cut off',
    arguing((text) => (text.endsWith('"Par') ? `${text}"}` : text)),
    'arguments that are not complete, strict JSON are an error, and the tool is not run',
  ],
  [
    'takes no object for an empty one',
    calling((call) => (call.arguments === 'null' ? { ...call, arguments: '{"city":""}' } : call)),
    'arguments that are no object are an error, and the tool is not run',
  ],
  [
    'drops hostile keys and runs the rest',
    arguing((text) => text.replace(/,"__proto__":\{"polluted":true\}/, '')),
    'arguments with keys that reach a prototype never run a tool',
  ],
  [
    'does not check arguments',
    offeringBody(() => ({
      input: {
        jsonSchema: { type: 'object' },
        wrapped: false,
        check: (value) => ({ ok: true, value }),
        coerce: (value) => ({ ok: true, value }),
      },
    })),
    'arguments that do not fit are an error with path, expected and received',
  ],
  [
    'does not say where arguments are wrong',
    responding((response) =>
      response.isError ? { ...response, content: 'Wrong arguments.' } : response,
    ),
    'arguments that do not fit are an error with path, expected and received',
  ],
  [
    'drops unknown arguments',
    arguing((text) => text.replace(',"unit":"celsius"', '')),
    'an argument the tool does not know is an error, never dropped',
  ],
  [
    'coerces with loss',
    arguing((text) => text.replace('"3.5"', '3')),
    'arguments are coerced where nothing is lost',
  ],
  [
    'needs arguments',
    arguing((text) => (text === '' ? 'null' : text)),
    'no arguments at all are an empty object',
  ],
  [
    'hands tools from scratch the raw text',
    around((request, inner) => {
      const [call] = request.response.results.flatMap(
        (result) => result.message.content as readonly ToolCall[],
      )
      const raw = (tool: ToolCallback): ToolCallback => ({
        ...tool,
        call: (_text, context) => tool.call(call!.arguments, context),
      })
      const tools = (request.prompt.options?.tools as readonly ToolCallback[]).map(raw)
      return inner({ ...request, prompt: { ...request.prompt, options: { tools } } })
    }),
    'a tool made from scratch gets checked, coerced JSON text',
  ],
  [
    'takes arguments of any size',
    limited({ argumentBytes: 'unlimited' }),
    'arguments larger than limits.argumentBytes are an error, and the tool is not run',
  ],
  [
    'runs what was cut off',
    asking((request) => ({ response: finished(request) })),
    'an answer that ended with length never runs its calls',
  ],
  [
    'runs what was filtered',
    asking((request) => ({ response: finished(request) })),
    'an answer that ended with content-filter never runs its calls',
  ],
  [
    'runs calls nobody wanted',
    asking(({ prompt }) => ({
      prompt: { ...prompt, options: { ...prompt.options, toolChoice: 'auto' } },
    })),
    'with toolChoice none nothing runs',
  ],
]

const BROKEN_FAILURES: readonly Broken[] = [
  [
    'throws what a tool throws',
    configured(() => ({ throwOnError: true })),
    'what a tool throws is an error response, and the other calls keep their results',
  ],
  [
    'forgets isError',
    responding(({ isError: _isError, ...response }) => response),
    'what a tool throws is an error response, and the other calls keep their results',
  ],
  [
    'gives up the batch when one call fails',
    telling(({ responses }) => ({
      responses: responses.some((response) => response.isError)
        ? responses.map((response) => ({
            ...response,
            isError: true,
            content: 'The batch failed.',
          }))
        : responses,
    })),
    'what a tool throws is an error response, and the other calls keep their results',
  ],
  [
    'expects errors to be errors',
    configured(() => ({
      exceptionProcessor: (error) => (error.cause as Error).message,
    })),
    'anything at all may be thrown or rejected with',
  ],
  [
    'tells the model every key',
    around(async (request, inner) => {
      const thrown: string[] = []
      const tools = (request.prompt.options?.tools as readonly ToolCallback[]).map((tool) =>
        spying(tool, (error) => thrown.push(String(error))),
      )
      const result = await inner({ ...request, prompt: { ...request.prompt, options: { tools } } })
      const responses = result.responses.map((response) =>
        response.isError ? { ...response, content: thrown.join() } : response,
      )
      return { ...result, responses }
    }),
    'keys in the message of an error do not reach the model',
  ],
  [
    'ignores throwOnError',
    configured(() => ({ throwOnError: false })),
    'throwOnError rejects with a ToolExecutionError that says who and why',
  ],
  [
    'ignores rethrow',
    configured(() => ({ rethrow: [] })),
    'rethrow rejects with errors of its classes, and only with those',
  ],
  [
    'rethrows everything once it may rethrow something',
    configured(({ rethrow }) => (rethrow ? { rethrow: [Error] } : {})),
    'rethrow rejects with errors of its classes, and only with those',
  ],
  [
    'wraps errors twice',
    configured(({ exceptionProcessor }) =>
      exceptionProcessor
        ? {
            exceptionProcessor: (error) =>
              exceptionProcessor(
                new ToolExecutionError(error.message, { toolName: error.toolName, cause: error }),
              ),
          }
        : {},
    ),
    'the exception processor chooses the words, and sees one ToolExecutionError',
  ],
  [
    'stringifies results by hand',
    offeringBody(() => ({ convert: (result) => JSON.stringify(result) })),
    'whatever a tool returns is told in some form, never a failure',
  ],
  [
    'does not cut results',
    limited({ resultBytes: 'unlimited' }),
    'a result is cut to limits.resultBytes, keeping its head and tail',
  ],
  [
    'cuts results anywhere',
    around(async (request, inner, { limits }) => {
      const result = await inner(request)
      const cut = (response: ToolResponse): ToolResponse => ({
        ...response,
        content: String(response.content).slice(0, Number(limits?.resultBytes) / 4),
      })
      return { ...result, responses: result.responses.map(cut) }
    }),
    'a result is cut to limits.resultBytes, keeping its head and tail',
  ],
]

const untimed = configured(({ clock }) => ({ clock: { ...clock!, timer: () => () => {} } }))

const BROKEN_TIMES: readonly Broken[] = [
  ['ignores timeouts', untimed, 'a timeout settles the call though the tool ignores its signal'],
  [
    'has its own idea of a timeout',
    offeringMetadata({ timeoutMs: 10 }),
    'a timeout settles the call though the tool ignores its signal',
  ],
  [
    "ignores a tool's own timeout",
    offeringMetadata({ timeoutMs: undefined }),
    "a tool's own timeout wins over the limit, and its signal is aborted",
  ],
  [
    'does not tell a tool that its time is over',
    offeringBody((body) => ({
      run: (input, context) => {
        const { signal } = new AbortController()
        return body.run(input, { ...contextOf(context, context.values), signal })
      },
    })),
    "a tool's own timeout wins over the limit, and its signal is aborted",
  ],
  [
    'keeps quiet about late results',
    emitting((event) => event.type !== 'notice'),
    'a result that comes after the timeout is dropped and noticed',
  ],
  [
    'ignores aborts',
    running(() => ({ signal: undefined })),
    'an abort settles at once with its reason, though the tool ignores it',
  ],
  [
    'wraps the reason of an abort',
    around((request, inner) =>
      inner(request).catch((cause: unknown) => {
        throw new Error('aborted', { cause })
      }),
    ),
    'an abort settles at once with its reason, though the tool ignores it',
  ],
  [
    'starts although it was aborted before',
    running(() => ({ signal: undefined })),
    'a signal aborted before runs nothing',
  ],
  [
    'goes on after an abort',
    around((request, inner) => {
      const { signal, ...run } = request.run
      const work = inner({ ...request, run })
      if (!signal) return work
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        work.then(resolve, reject)
      })
    }),
    'after an abort no further call starts',
  ],
  [
    'leaves a listener on the signal',
    running(({ signal }) => (signal?.addEventListener('abort', () => {}), {})),
    'no listener stays on the signal',
  ],
  [
    'does not retry',
    offeringMetadata({ retry: undefined }),
    'a tool that may run twice is retried, under the same idempotency key',
  ],
  [
    'gives every attempt its own key',
    offeringBody((body) => ({
      run: (input, context) => {
        const idempotencyKey = `${context.idempotencyKey}/${context.attempt}`
        return body.run(input, { ...contextOf(context, context.values), idempotencyKey })
      },
    })),
    'a tool that may run twice is retried, under the same idempotency key',
  ],
  [
    'retries everything',
    offeringMetadata({ effect: 'idempotent' }),
    'a tool whose effect may happen once is never run again',
  ],
]

const BROKEN_LIMITS: readonly Broken[] = [
  [
    'ignores callsPerTool',
    limited({ callsPerTool: 'unlimited' }),
    'in the batch that crosses callsPerTool the first calls run, the rest get an error',
  ],
  [
    'ignores callsTotal',
    limited({ callsTotal: 'unlimited' }),
    'in the batch that crosses callsTotal the first calls run, the rest get an error',
  ],
  [
    'does not say which limit it met',
    telling(() => ({ limit: undefined })),
    'in the batch that crosses callsTotal the first calls run, the rest get an error',
  ],
  [
    'counts all tools as one',
    configured(({ limits }) => ({ limits: { ...limits, callsTotal: limits?.callsPerTool } })),
    'callsPerTool counts each tool for itself',
  ],
  [
    'forgets what it counted',
    running(() => ({ counters: undefined })),
    'counting goes on where the counters of the last batch stopped',
  ],
  [
    'lets a model repeat itself',
    limited({ identicalCalls: 'unlimited' }),
    'the third identical call carries a hint, the fourth is refused',
  ],
  [
    'refuses a repeated call without a hint',
    responding((response) =>
      response.isError
        ? response
        : { ...response, content: String(response.content).split('\n\n')[0]! },
    ),
    'the third identical call carries a hint, the fourth is refused',
  ],
  [
    'takes equal arguments for an equal call',
    limited({ callsPerTool: 3 }),
    'equal calls with different results are not identical',
  ],
]

const approving = offeringMetadata({ approval: undefined })

const BROKEN_SUSPENSIONS: readonly Broken[] = [
  [
    'approves everything itself',
    approving,
    'a tool with approval waits, the other calls of the batch run',
  ],
  [
    'lets the whole batch wait',
    telling(({ pending }) => (pending ? { responses: [] } : {})),
    'a tool with approval waits, the other calls of the batch run',
  ],
  [
    'closes an open batch',
    telling(({ pending, responses, conversationHistory }) =>
      pending ? { conversationHistory: [...conversationHistory, { role: 'tool', responses }] } : {},
    ),
    'a tool with approval waits, the other calls of the batch run',
  ],
  [
    'takes a broken approval rule for consent',
    offering((tool) => {
      const { approval } = tool.metadata
      if (typeof approval !== 'function') return tool
      const lenient: typeof approval = (input, context) => {
        try {
          return approval(input, context)
        } catch {
          return false
        }
      }
      return { ...tool, metadata: { ...tool.metadata, approval: lenient } }
    }),
    'an approval rule is asked with the input, and one that throws asks',
  ],
  ['destroys without asking', offeringMetadata({ hints: {} }), 'a destructive tool waits'],
  [
    'takes ask for allow',
    configured(({ policy }) =>
      policy
        ? {
            policy: async (call, context) => {
              const verdict = await policy(call, context)
              return verdict === 'ask' ? 'allow' : verdict
            },
          }
        : {},
    ),
    'a call the policy asks about waits',
  ],
  [
    'runs what only the application can run',
    offeringMetadata({ suppliedResult: undefined }),
    'a call of a tool without execute waits for its result',
  ],
  [
    'answers questions with silence',
    telling(({ pending }) => (pending ? { pending: undefined } : {})),
    'a tool that asks a question waits for the answer, even if it catches the signal',
  ],
  [
    'shows no preview',
    offeringMetadata({ preview: undefined }),
    'what would happen is shown by the preview',
  ],
  [
    'asks instead of denying',
    configured(({ policy }) => (policy ? { policy: async () => 'ask' as const } : {})),
    'a call the policy denies is an error response with the reason',
  ],
  [
    'does not pass the reason of a denial on',
    configured(({ policy }) => (policy ? { policy: () => 'deny' as const } : {})),
    'a call the policy denies is an error response with the reason',
  ],
  [
    'allows what a broken policy does not',
    configured(({ policy }) =>
      policy
        ? {
            policy: async (call, context) => {
              try {
                return await policy(call, context)
              } catch {
                return 'allow'
              }
            },
          }
        : {},
    ),
    'a policy that throws denies',
  ],
  [
    'shows the policy another input',
    configured(({ policy }) =>
      policy ? { policy: (call, context) => policy({ ...call, input: '{}' }, context) } : {},
    ),
    'a policy sees the checked input, the definition and the context',
  ],
  [
    'asks about calls that cannot run',
    telling(({ responses, pending }) => {
      const failed = responses.filter((response) => response.isError)
      return failed.length === 0
        ? {}
        : {
            pending: [
              ...(pending ?? []),
              ...failed.map(({ id, name }) => ({
                callId: id,
                toolName: name,
                input: null,
                kind: 'approval' as const,
              })),
            ],
          }
    }),
    'wrong arguments are refused before anybody is asked',
  ],
]

const alwaysGood = { use: async (): Promise<boolean> => true }

const BROKEN_RESUMES: readonly Broken[] = [
  [
    'denies what was approved',
    deciding((decision) => (decision === 'approve' ? { deny: '' } : decision)),
    'approve runs the call with its input',
  ],
  [
    'runs what was denied',
    deciding((decision) => (isA('deny', decision) ? 'approve' : decision)),
    'deny answers with the reason and runs nothing',
  ],
  [
    'ignores an edit',
    deciding((decision) => (isA('edit', decision) ? 'approve' : decision)),
    'edit runs the call with the edited input, checked and coerced',
  ],
  [
    'runs the old input when an edit does not fit',
    catching('decision-invalid-edit', (request, inner) =>
      inner({ ...request, run: { ...request.run, decisions: { a: 'approve' } } }),
    ),
    'an edit that does not fit is refused and does not use the state up',
  ],
  [
    'uses a state up before it looks at the decisions',
    (options) => {
      const store = inMemoryRunStore()
      const manager = toolCallingManager({ ...options, runStore: alwaysGood })
      return {
        ...manager,
        async executeToolCalls(prompt, response, run = {}) {
          if (run.state && !(await store.use(run.state.id)))
            throw new ResumeError('state-used', 'This state was resumed before.')
          return manager.executeToolCalls(prompt, response, run)
        },
      }
    },
    'an edit that does not fit is refused and does not use the state up',
  ],
  [
    'trusts an edit without asking the policy again',
    (options) => {
      const first = toolCallingManager(options)
      const then = toolCallingManager({ ...options, policy: undefined })
      return {
        ...first,
        executeToolCalls: (prompt, response, run) =>
          (run?.state ? then : first).executeToolCalls(prompt, response, run),
      }
    },
    'an edit is put to the policy again, and a refusal does not use the state up',
  ],
  [
    'loses a supplied result',
    deciding((decision) => (isA('result', decision) ? { result: undefined } : decision)),
    'result answers a call the application ran',
  ],
  [
    'asks again although it was answered',
    deciding((decision) => (isA('answer', decision) ? 'approve' : decision)),
    'answer runs the tool again from the start, and its question returns the answer',
  ],
  [
    'loses earlier answers',
    telling(() => ({ answers: undefined })),
    'a tool may ask twice: the earlier answers are kept',
  ],
  [
    'approves what nobody decided',
    running(({ state, decisions }) => {
      const all = state?.pending.map(({ callId }) => [callId, 'approve'] as const) ?? []
      return decisions
        ? { decisions: { ...(Object.fromEntries(all) as Decisions), ...decisions } }
        : {}
    }),
    'calls without a decision stay pending, and answered ones do not run again',
  ],
  [
    'runs answered calls again',
    running(() => ({ answered: undefined })),
    'calls without a decision stay pending, and answered ones do not run again',
  ],
  [
    'takes a state twice',
    configured(() => ({ runStore: alwaysGood })),
    'a state is used once, also by two at the same time',
  ],
  [
    'lets two resume at the same time',
    configured(() => {
      const used = new Set<string>()
      return {
        runStore: {
          async use(id) {
            const before = used.has(id)
            await new Promise((resolve) => setImmediate(resolve))
            used.add(id)
            return !before
          },
        },
      }
    }),
    'a state is used once, also by two at the same time',
  ],
  [
    'does not ask its run store',
    configured(() => ({ runStore: inMemoryRunStore() })),
    'the run store decides whether a state is still good',
  ],
]

const isA = (kind: string, decision: Decision): boolean =>
  typeof decision === 'object' && kind in decision

const BROKEN_CONTEXTS: readonly Broken[] = [
  [
    'forgets the context',
    asking(({ prompt }) => ({
      prompt: { ...prompt, options: { ...prompt.options, toolContext: {} } },
    })),
    "a tool sees the request's context and its own call",
  ],
  [
    'lets tools write into the context',
    offeringBody((body, prompt) => ({
      run: (input, context) =>
        body.run(input, Object.freeze(contextOf(context, prompt.options?.toolContext ?? {}))),
    })),
    'the context is frozen: no tool can change what another sees',
  ],
  [
    'shows the context in its responses',
    around(async (request, inner) => {
      const result = await inner(request)
      const shown = JSON.stringify(request.prompt.options?.toolContext)
      const responses = result.responses.map((response) => ({
        ...response,
        content: `${String(response.content)} ${shown}`,
      }))
      return { ...result, responses }
    }),
    'the context reaches no response, event or pending call',
  ],
  [
    'shows the context in its events',
    around((request, inner) => {
      const { emit } = request.run
      const data = request.prompt.options?.toolContext as never
      emit?.({ type: 'notice', code: 'context', message: 'Running.', data })
      return inner(request)
    }),
    'the context reaches no response, event or pending call',
  ],
  [
    'gives every tool the whole context',
    offeringBody(() => ({ pickContext: undefined })),
    'a tool that declares its context gets just that, checked',
  ],
  [
    'shows every tool the history',
    offeringMetadata({ needs: ['history'] }),
    'only a tool that needs the history sees it',
  ],
]

const BROKEN: readonly Broken[] = [
  ...BROKEN_BATCHES,
  ...BROKEN_REFUSALS,
  ...BROKEN_FAILURES,
  ...BROKEN_TIMES,
  ...BROKEN_LIMITS,
  ...BROKEN_SUSPENSIONS,
  ...BROKEN_RESUMES,
  ...BROKEN_CONTEXTS,
]

function caseOf(name: string, create: CreateManager) {
  const suite = toolCallingManagerContract(create, { patienceMs: PATIENCE_MS })
  const named = suite.filter((candidate) => candidate.name === name)
  expect(named, `cases called "${name}"`).toHaveLength(1)
  return named[0]!
}

describe('the contract rejects a manager that', () => {
  for (const [what, create, rejectedBy] of BROKEN)
    it(what, async () => {
      await expect(caseOf(rejectedBy, create).run()).rejects.toBeInstanceOf(AssertionError)
    })

  it('no case is without a manager it rejects', () => {
    const proven = new Set(BROKEN.map(([, , rejectedBy]) => rejectedBy))
    const names = toolCallingManagerContract(toolCallingManager).map(({ name }) => name)
    expect(names.filter((name) => !proven.has(name))).toEqual([])
  })
})
