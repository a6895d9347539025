/**
 * Every notice: something worth knowing that is no error and changes nothing about the run. The table says
 * what each means and what to do; `docs/errors.md` is written from it. `notice()` makes one and does not
 * read the table, so that programs do not bundle its words.
 */
import type { Json } from '../messages/json.ts'

/**
 * Who is told. `run`: readers of the run, as a `notice` event, and then observers and loggers too.
 * `observer`: observers and loggers only. `logger`: loggers, and stderr unless NODE_ENV is `production`.
 * `command`: readers of `toolwright chat --json`.
 */
export type NoticeAudience = 'run' | 'observer' | 'logger' | 'command'

export interface NoticeEntry {
  readonly audience: NoticeAudience
  /** What happened. */
  readonly meaning: string
  /** What the reader may do about it. */
  readonly nextStep: string
}

export const NOTICES = {
  'tools-not-supported': {
    audience: 'run',
    meaning: 'The model cannot use tools, so it was asked without them.',
    nextStep:
      'Wrap the model in promptedTools(model), choose one that can, or correct its capabilities.',
  },
  'tool-choice-not-supported': {
    audience: 'run',
    meaning:
      'The model cannot be made to call a tool; of a chosen tool, only that one was offered.',
    nextStep: 'Look whether the tool was called, or correct the capabilities of the model.',
  },
  'media-not-supported': {
    audience: 'run',
    meaning: 'The model takes no such media; words stand in their place.',
    nextStep: 'Choose a model that does, or correct its capabilities.',
  },
  'model-retry': {
    audience: 'run',
    meaning: 'The provider failed before it answered, and is asked again.',
    nextStep: 'Look at the reason in the message if it happens often.',
  },
  'retry-budget': {
    audience: 'run',
    meaning:
      'The provider failed and is not asked again: of the questions of the last minute, a tenth, or ten, were.',
    nextStep: 'Ask less at a time, or look why the provider fails.',
  },
  'unknown-keywords': {
    audience: 'run',
    meaning:
      'The JSON Schema of a tool has keywords that are not known here; they are sent, not checked.',
    nextStep: 'Do nothing if the provider or the program reads them; otherwise remove them.',
  },
  'model-fallback': {
    audience: 'run',
    meaning: 'A model of fallbackModel() failed before it said anything, so the next one is asked.',
    nextStep: 'Look at the reason in the message if it happens often.',
  },
  'model-warning': {
    audience: 'run',
    meaning: 'A model warned that it does something else than it was told.',
    nextStep: 'Look at the reason in the message; leave out the setting that it names.',
  },
  'content-after-finish': {
    audience: 'run',
    meaning: 'The provider sent content after the reason why it finished; the content was ignored.',
    nextStep: 'Report it to whoever runs the endpoint.',
  },
  'invalid-event': {
    audience: 'run',
    meaning: 'A model emitted something that is no event; it was dropped.',
    nextStep: 'Correct what its stream() yields.',
  },
  'empty-answer': {
    audience: 'run',
    meaning: 'The model ended its answer without a word and without a call.',
    nextStep: 'Look at data.finishReason; ask again, or allow more tokens.',
  },
  'late-result': {
    audience: 'run',
    meaning: 'A tool settled after its timeout; its result was dropped.',
    nextStep: 'Let the tool stop when context.signal aborts, or raise its timeoutMs.',
  },
  'tool-unsettled': {
    audience: 'run',
    meaning:
      'A tool was given up and still runs: its lock stays held, and it is not tried again, until it settles.',
    nextStep: 'Let the tool stop when context.signal aborts.',
  },
  'nested-misuse': {
    audience: 'run',
    meaning:
      'A tool that calls tools did what it must not: made a call that cannot be made, or left in the midst of its calls. It has failed, and the model was told so; the fault is in its code.',
    nextStep: 'Correct the tool; the message says what it did.',
  },
  'nested-call-dropped': {
    audience: 'run',
    meaning:
      'A tool ended without waiting for calls that it made and that need a decision, or that were decided; they do not run.',
    nextStep:
      'Let the tool leave by toolRunOf(context).suspend(), and make the calls again when it runs again.',
  },
  'late-emit': {
    audience: 'run',
    meaning: 'An event came after the turn of its advisor had ended; it was dropped.',
    nextStep: 'Await everything that emits before the advisor returns.',
  },
  'on-arguments-failed': {
    audience: 'run',
    meaning: 'The onArguments of augmentTools() threw; the tool ran all the same.',
    nextStep: 'Correct onArguments.',
  },
  'memory-failed': {
    audience: 'run',
    meaning: 'The memory did not store the end of the run; the answer was given all the same.',
    nextStep: 'Check the repository; the conversation lacks the end of this run.',
  },
  'round-restarted': {
    audience: 'run',
    meaning:
      'A durable run was cut off while its model answered, and the model is asked anew; what was told of the answer is void.',
    nextStep: 'Drop the text of data.round that was shown; it comes again.',
  },
  'event-not-kept': {
    audience: 'run',
    meaning: 'An event of a durable run has no JSON form, so its log does not have it.',
    nextStep: 'Emit plain data.',
  },
  'run-not-saved': {
    audience: 'run',
    meaning: 'The run store did not keep a run that was suspended; its result has the state.',
    nextStep: 'Store the state of the result yourself, and look why the store refused it.',
  },
  'tool-search': {
    audience: 'run',
    meaning: 'A tool index failed or was stood in for, or a pinned tool is not there.',
    nextStep: 'Look at the reason in the message; searching goes on with what there is.',
  },
  'agent-missing-activity': {
    audience: 'run',
    meaning: 'A tool names an activity that is not registered; the model writes its result.',
    nextStep: 'Register the activity, or correct its name.',
  },
  'agent-undescribed-result': {
    audience: 'run',
    meaning: 'A tool is run by code, and its description does not tell the model what it returns.',
    nextStep: 'Describe the result in the description of the tool.',
  },
  'agent-ignored-field': {
    audience: 'run',
    meaning: 'The model set a field of a call that is not for it to set; the field was ignored.',
    nextStep: 'Do nothing, or say in the description that the field is fixed.',
  },
  'agent-version': {
    audience: 'run',
    meaning: 'The model left the version as it was, although it answered.',
    nextStep: 'Do not take the version as a sign that something changed.',
  },
  'mcp-tool-quarantined': {
    audience: 'run',
    meaning: 'A tool of an MCP server is not offered; the others are.',
    nextStep:
      'Look at the reason in the message: correct the tool, or accept its change by renewing its pin.',
  },
  'mcp-list': {
    audience: 'run',
    meaning:
      'The list of tools of an MCP server is not complete, not new, or not quite what it sent or what the options name.',
    nextStep: 'Look at the reason in the message; the tools that are known are offered.',
  },
  'mcp-connection': {
    audience: 'run',
    meaning: 'The connection to an MCP server was lost, and was made anew.',
    nextStep: 'Look why the server ends if it happens often.',
  },
  'mcp-output-mismatch': {
    audience: 'run',
    meaning: 'What a tool of an MCP server gave does not fit what it declares.',
    nextStep: 'Report it to whoever wrote the server; the model got the result as it is.',
  },
  'mcp-ignored': {
    audience: 'run',
    meaning: 'An MCP server sent what it may not send, or what is not understood; it was ignored.',
    nextStep: 'Report it to whoever wrote the server.',
  },
  'observer-failed': {
    audience: 'run',
    meaning: 'The observer or logger threw; the run went on. This is told once for each run.',
    nextStep: 'Correct the observer or logger.',
  },
  retry: {
    audience: 'observer',
    meaning: 'An attempt of a tool or of the retry advisor failed, and another one is made.',
    nextStep: 'Look at the reason in the message if it happens often.',
  },
  waited: {
    audience: 'observer',
    meaning:
      'A call waited for its place in the batch, its lock or its rate before it ran; the data says how long and for which call.',
    nextStep: 'Raise limits.parallel or the rate, or hold the lock shorter, if it takes too long.',
  },
  'odd-tool-name': {
    audience: 'observer',
    meaning:
      'A tool has a name that not every provider takes; those that do not are sent another name for it.',
    nextStep: 'Do nothing, or use letters, digits, _ and -, at most 64.',
  },
  'blank-arguments': {
    audience: 'observer',
    meaning: 'The model sent blank arguments; they counted as {}.',
    nextStep: 'Do nothing, unless the tool needed arguments.',
  },
  'run-unread': {
    audience: 'logger',
    meaning: 'A run was made by .call() or .stream() and never read, so nothing was sent.',
    nextStep: 'Ask the run for a result: .content(), .result(), .events().',
  },
  'summary-failed': {
    audience: 'logger',
    meaning:
      'A summarisingMemory got no summary of older turns, so it keeps them. This is told once, and only where there is no onSummary.',
    nextStep: 'Look at the reason in the message; onSummary is told of every attempt.',
  },
  'tools-reloaded': {
    audience: 'command',
    meaning: 'The tools file changed and was loaded again.',
    nextStep: 'Do nothing.',
  },
  'tools-broken': {
    audience: 'command',
    meaning: 'The tools file changed and cannot be loaded; the tools stay as they were.',
    nextStep: 'Correct the file as the message says.',
  },
} as const satisfies { readonly [code: string]: NoticeEntry }

export type NoticeCode = keyof typeof NOTICES

/** A `notice` event, before whoever runs the loop says where it belongs. */
export interface Notice<Code extends NoticeCode = NoticeCode> {
  readonly type: 'notice'
  readonly code: Code
  readonly message: string
  readonly data?: Json
}

/** The one way to make a notice. `message` says what happened this time, with names and reasons. */
export function notice<Code extends NoticeCode>(
  code: Code,
  message: string,
  data?: Json,
): Notice<Code> {
  return { type: 'notice', code, message, ...(data !== undefined && { data }) }
}
