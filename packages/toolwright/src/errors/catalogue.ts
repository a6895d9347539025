/**
 * Every error code with its next step. The message of an error says what happened and what we had; the
 * next step says what to do. One table per kind of fault, so that a program bundles only the tables of the
 * errors it can meet; `CATALOGUE` is all of them, and `docs/errors.md` is checked against it. What is worth
 * knowing without being an error is in notices.ts.
 */
export type ErrorFamily = 'caller' | 'model' | 'outside' | 'limits'

export interface CatalogueEntry {
  readonly family: ErrorFamily
  readonly nextStep: string
}

/** The program is wrong: found before the model is asked where possible. A refused resume leaves its state usable. */
export const CALLER_ERRORS = {
  'unknown-option': 'Remove or correct it.',
  'invalid-option': 'Correct it.',
  'duplicate-tool': 'Rename or remove one.',
  'invalid-tool': 'Correct the tool.',
  'invalid-tool-source':
    'Pass tools, providers, records, objects with @Tool() or defineTools(), or arrays of these; await promises first.',
  'invalid-tool-context': 'Set it with .toolContext({...}).',
  'invalid-schema': 'Correct the schema.',
  'argument-taken': 'Rename the extra argument.',
  'unknown-tool-name': 'Correct the name, or add the tool to the resolver.',
  'two-tool-calling-advisors': 'Keep one.',
  'invalid-advisor': 'Correct the advisor.',
  'history-without-memory':
    'Add one (order above the tool-calling advisor), or leave conversationHistory on.',
  'invalid-message': 'Correct the message.',
  'missing-conversation-id': 'Set .conversation(id).',
  'missing-api-key': 'Pass apiKey, or set the environment variable.',
  'invalid-base-url':
    'Give baseUrl as an absolute http(s) address including the version path, e.g. https://host/v1.',
  'model-without-tools':
    'Wrap the model in promptedTools(model), choose another model, or correct its capabilities.',
  'nested-call':
    'Declare composite: { tools } on the tool; make each call with an index of its own, and before the tool ends.',
  'nested-suspend':
    'Await every call, and suspend only if one of them is pending; the journal is JSON of a bearable size.',
  'no-tool-call': 'Pass a response that asks for tools.',
  'state-invalid': 'Pass the state as the suspended run gave it.',
  'state-signature': 'Pass the untouched state, with the same stateSecret.',
  'state-used': 'If the run was suspended again since, pass the state of its newest suspension.',
  'state-tools-changed': 'Offer the same tools as when the run was suspended.',
  'program-diverged':
    'Resume it with what it was suspended with: the same tools, the same version of @toolwright/code-mode and its engine.',
  'decision-unknown-call': 'Decide only pending calls.',
  'decision-wrong-kind':
    'Decide approvals with approve, deny or edit, results with result or deny, questions with answer (JSON) or deny, unknown outcomes with result, retry or deny.',
  'decision-invalid-edit': 'Correct the edited input.',
  'decision-invalid-result': 'Give a result that fits the output schema of the tool.',
  'decision-missing': 'Decide at least one pending call.',
  'resume-messages': 'Send messages in a new request.',
  'missing-peer': 'Install it, or do without what needs it.',
  'script-mismatch': 'Correct the script, or the program under test.',
} as const

/** An agent of `toolwright/agent` is defined wrongly: only its author can correct it. */
export const AGENT_ERRORS = {
  'agent-tool': 'Correct the schema of the tool.',
  'agent-context': 'Correct the message.',
  'agent-activity': 'Register the activity, or correct its name.',
  'agent-delegate': 'Save the request under this name, or correct _delegate.',
  'agent-delegate-cycle': 'Let no delegate lead back to itself.',
  'agent-request': 'Give tools in the context, an output schema, or both.',
  'agent-calls': 'Give the calls of a solution: a list of objects with _tool.',
} as const

/** An advisor breaks the contract of advisors: only its author can correct it. */
export const ADVISOR_ERRORS = {
  'advisor-old-form':
    'Write async advise(request, next), return await next(request), and see events by wrapping request.emit.',
  'advisor-no-answer': 'Return what next(request) gives, or an answer of your own.',
  'advisor-no-request': 'Pass the request on: next(request).',
  'advisor-next-twice': 'Await one next() before the other.',
  'advisor-no-event': 'Emit objects with a type, such as those that pass through emit.',
  'advisor-emit-failed': 'Let the emit that it passes on never throw.',
} as const

/** The model misbehaved beyond what it can be told. */
export const MODEL_ERRORS = {
  'incomplete-stream': 'Ask again; nothing of it was executed.',
  'invalid-response': 'Check that the endpoint speaks this dialect.',
  refused: 'Look at error.refusal; ask differently, or ask another model.',
  'broken-answer':
    'Ask again, for example with retryAdvisor or fallbackModel; nothing of it was executed. If it stays, simplify the tools.',
  'no-answer': 'Look at the finish reason and the messages.',
  'invalid-answer': 'Look at error.issues; describe the fields better, or ask for less.',
} as const

/** The provider or the way to it failed. */
export const PROVIDER_ERRORS = {
  'provider-rejected': 'Correct the request as the provider says.',
  'provider-auth': 'Check the API key and its permissions.',
  'provider-not-found': 'Check the name of the model and the baseUrl.',
  'provider-no-tools': 'Wrap it: promptedTools(model); or use a model that takes tools.',
  'provider-rate-limit': 'Wait, lower the rate, or raise the quota.',
  'provider-unavailable': 'Try again later, or put the model behind fallbackModel.',
  'provider-unreachable': 'Check the baseUrl, the network and any proxy.',
  'provider-timeout': 'Try again, or raise firstByteTimeoutMs or idleTimeoutMs.',
  'all-models-failed': 'Look at the errors in error.cause.errors.',
  'provider-too-large': 'The answer passed the size limit; check the endpoint.',
} as const

/** A tool failed, or was called wrongly. */
export const TOOL_ERRORS = {
  'tool-execution': 'Look at the cause.',
  'tool-output': 'Correct the result or the output schema.',
  'tool-input': 'Correct the arguments.',
  'tool-source': 'Look at the cause; nothing was sent.',
  'tool-timeout': 'Make the tool faster, or raise its timeoutMs.',
  'tool-lock': 'Let whatever holds the lock end earlier, or raise timeoutMs.',
  'tool-rate': 'Raise its rateLimit, or call it later.',
  'program-failed': 'Correct the program at the line it names, or raise the limit it names.',
} as const

/** A database that keeps conversations and runs cannot be used, or does not hold what it should. */
export const DATABASE_ERRORS = {
  'database-unreachable':
    'Check the address: that the server runs and can be reached from here, or, for a file, that its folder is there and may be used.',
  'database-refused': 'Check the user, the password, the name of the database and their rights.',
  'database-closed': 'Open it again, or close it later.',
  'database-read-only': 'Give the program the right to write, or use another database.',
  'database-full': 'Make room, then try again; nothing of this was stored.',
  'database-locked': 'Try again, let the other program finish earlier, or raise waitMs.',
  'database-connections':
    'Let fewer programs connect, lower connections, or raise the limit of the server.',
  'database-newer': 'Update the package that opens it, or use another database or prefix.',
  'database-corrupt': 'Repair or delete what the message names.',
  'database-unsure': 'Look whether it is there before you store it again.',
  'database-failed': 'Look at the cause.',
} as const

/** A durable run cannot go on. */
export const DURABILITY_ERRORS = {
  'unknown-outcome':
    "Find out whether it happened. A call that waits is decided with { result }, 'retry' or { deny }; a run that failed by it is started anew.",
  'replay-mismatch': 'Start the run anew, or give it the records that belong to it.',
  'step-too-large':
    'Return less, or where the data is to be found; or raise stepBytes of durableRuns().',
  'durable-failed': 'Look at the cause; start a new run when it is mended.',
  'durable-cancelled': 'Start a new run if it is still wanted.',
  'durable-given-up': 'Find out why it ends its workers, then start a new run.',
  'durable-tools-changed':
    'Start a worker whose client offers these tools as the run knows them, or cancel the run.',
} as const

/** A program asks for a durable run in a way that cannot be right. */
export const DURABLE_CALLER_ERRORS = {
  'durable-unknown-run': 'Check the run id, and that it is in this database.',
  'durable-run-taken': 'Choose another runId, or attach(runId) to the run that has it.',
  'durable-not-waiting': 'Look at the run with attach(runId) or list(); decide only what waits.',
  'durable-input': 'Give plain JSON.',
  'durable-client': 'Correct the clients of durableRuns(), or the name.',
  'durable-executor-taken': 'Give each worker an executorId of its own, or none.',
  'durable-already-open':
    'Use the one that is open, or close it first: DBOS runs once per process.',
  'durable-closed': 'Open durableRuns() again, or close it later.',
} as const

/** A server of tools could not be reached, or did not keep to the protocol. */
export const MCP_ERRORS = {
  'mcp-unreachable': 'Check that the server runs, and its address or command.',
  'mcp-closed': 'Ask again: the connection is made anew, unless close() was called.',
  'mcp-protocol': 'Report it to whoever wrote the server.',
  'mcp-version': 'Set era, or update the server.',
  'mcp-unauthorized': 'Give auth or headers that the server takes, or sign in again.',
  'mcp-refused': 'Look at what the server says; correct the arguments or the server.',
  'mcp-timeout': 'Raise timeoutMs (of the command: --mcp-timeout <seconds>), or look why the server is slow.', // prettier-ignore
  'mcp-cut': 'Find out whether it happened before you call it again.',
} as const

/** A cassette of `toolwright/testing` cannot be used, or holds another conversation than the one that is had. */
export const CASSETTE_ERRORS = {
  'cassette-missing':
    "Record it: run the test where CI is not set, or with mode 'record', and keep the file with the test.",
  'cassette-unreadable': 'Restore the file, or delete it and record it again.',
  'cassette-version': 'Update toolwright, or delete the file and record it again.',
  'cassette-mismatch':
    'Correct the program; if the change is wanted, delete the file and record it again.',
  'cassette-unused':
    'Correct the program; if the change is wanted, delete the file and record it again.',
  'cassette-in-use': 'Give each test a file of its own.',
  'cassette-unwritable': 'Check the folder, the room on the disk and your rights to both.',
  'cassette-inner-calls':
    'Give that tool to the client and not to cassette(), which gets the tools that it calls: codeMode({ tools: tape.tools }).',
  'cassette-finished': 'Call finish() when the conversation is over, and make a new cassette().',
} as const

/** A trace file of `toolwright/trace` cannot be written or read. */
export const TRACE_ERRORS = {
  'trace-unwritable': 'Make room, or give another path; lines are lost until it can be written.',
  'trace-foreign': 'Give the path of a trace, or of a file that does not exist yet.',
  'trace-unreadable': 'Give a file that traceFile() wrote.',
  'trace-version': 'Read it with the version of toolwright that wrote it, or a newer one.',
} as const

/** What a page sent to a server of `toolwright/ui` cannot be taken. */
export const PAGE_ERRORS = {
  'page-body': 'Send the JSON that this address takes.',
  'page-too-large': 'Send less, or raise maxBytes.',
  'page-decision': 'Load the conversation again, and decide what still waits.',
  'page-busy': 'Wait until the answer has ended, or stop it.',
  'page-nothing-new': 'Send a message of the user, or decide a call that waits.',
} as const

/** A budget ended, or the run waits for somebody. */
export const LIMIT_ERRORS = {
  'run-limit': 'Raise the limit, or use error.result.',
  'run-suspended': 'Decide error.result.pending, and resume with error.result.state.',
  'run-abandoned': 'Keep reading, or start a new run.',
} as const

export type CallerErrorCode = keyof typeof CALLER_ERRORS
export type AgentErrorCode = keyof typeof AGENT_ERRORS
export type AdvisorErrorCode = keyof typeof ADVISOR_ERRORS
export type ModelErrorCode = keyof typeof MODEL_ERRORS
export type ProviderErrorCode = keyof typeof PROVIDER_ERRORS
export type ToolErrorCode = keyof typeof TOOL_ERRORS
export type DatabaseErrorCode = keyof typeof DATABASE_ERRORS
export type DurabilityErrorCode =
  keyof typeof DURABILITY_ERRORS | keyof typeof DURABLE_CALLER_ERRORS
export type McpErrorCode = keyof typeof MCP_ERRORS
export type CassetteErrorCode = keyof typeof CASSETTE_ERRORS
export type TraceErrorCode = keyof typeof TRACE_ERRORS
export type PageErrorCode = keyof typeof PAGE_ERRORS
export type LimitErrorCode = keyof typeof LIMIT_ERRORS
export type ErrorCode =
  | CallerErrorCode
  | AgentErrorCode
  | AdvisorErrorCode
  | ModelErrorCode
  | ProviderErrorCode
  | ToolErrorCode
  | DatabaseErrorCode
  | DurabilityErrorCode
  | McpErrorCode
  | CassetteErrorCode
  | TraceErrorCode
  | PageErrorCode
  | LimitErrorCode

export const CATALOGUE: { readonly [code in ErrorCode]: CatalogueEntry } =
  /* @__PURE__ */ catalogue()

function catalogue(): { readonly [code in ErrorCode]: CatalogueEntry } {
  const of = (family: ErrorFamily, table: { readonly [code: string]: string }) =>
    Object.entries(table).map(([code, nextStep]) => [code, { family, nextStep }] as const)
  return Object.fromEntries([
    ...of('caller', {
      ...CALLER_ERRORS,
      ...ADVISOR_ERRORS,
      ...AGENT_ERRORS,
      ...DURABLE_CALLER_ERRORS,
      ...CASSETTE_ERRORS,
    }),
    ...of('model', MODEL_ERRORS),
    ...of('outside', {
      ...PROVIDER_ERRORS,
      ...TOOL_ERRORS,
      ...DATABASE_ERRORS,
      ...DURABILITY_ERRORS,
      ...MCP_ERRORS,
      ...TRACE_ERRORS,
      ...PAGE_ERRORS,
    }),
    ...of('limits', LIMIT_ERRORS),
  ]) as { readonly [code in ErrorCode]: CatalogueEntry }
}
