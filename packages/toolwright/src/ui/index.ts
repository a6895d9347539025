/** `toolwright/ui`: runs for the pages people have, and what those pages send back. State stays on the server. */

// useChat of the AI SDK
export { toUiMessageStream } from './ai-sdk/to-ui-message-stream.ts'
export type { UiMessageStreamOptions } from './ai-sdk/to-ui-message-stream.ts'
export type { ShownState } from './ai-sdk/earlier-parts.ts'
export { fromUiMessages } from './ai-sdk/from-ui-messages.ts'
export type { UiRequest } from './ai-sdk/from-ui-messages.ts'
export { toUiMessages } from './ai-sdk/to-ui-messages.ts'
export type { OpenCalls } from './ai-sdk/to-ui-messages.ts'
export type { UiMessage, UiPart } from './ai-sdk/ui-message.ts'

// AG-UI
export { toAgUiStream } from './ag-ui/to-ag-ui-stream.ts'
export type { AgUiStreamOptions } from './ag-ui/to-ag-ui-stream.ts'
export { toAgUiOutcome } from './ag-ui/interrupts.ts'
export type { AgUiInterrupt, AgUiOutcome } from './ag-ui/ag-ui-event.ts'
export { fromAgUiInput } from './ag-ui/from-ag-ui-input.ts'
export type { AgUiRequest } from './ag-ui/from-ag-ui-input.ts'

// What both take and give
export type { Continuation } from './page/continuation.ts'
export type { FromPageOptions, PageRequest } from './page/page-request.ts'
export { readPageBody } from './page/read-page-body.ts'
export type { PageBodyOptions } from './page/read-page-body.ts'
export { toErrorResponse } from './page/to-error-response.ts'
export type {
  PageStreamOptions,
  ReplayOptions,
  ToolResultEvent,
} from './stream/page-stream-options.ts'

// Coming back to a stream
export { replayStream } from './replay/replay-stream.ts'
export { inMemoryStreams } from './replay/in-memory-streams.ts'
export type { InMemoryStreamsOptions } from './replay/in-memory-streams.ts'
export type { KeptStream, StreamStore } from './replay/stream-store.ts'

// Errors
export { PageError } from '../errors/errors.ts'
export type { PageErrorCode } from '../errors/catalogue.ts'
