/**
 * What is sent to a language model of the AI SDK, for each version of its specification. Only the fields that
 * are written here; `sent-types.test-d.ts` holds them against the types of `@ai-sdk/provider`, so that programs
 * need not install that package.
 */
export type SpecVersion = 'v2' | 'v3' | 'v4'

export type SentJson =
  null | string | number | boolean | SentJson[] | { [key: string]: SentJson | undefined }

export type SentProviderOptions = { [provider: string]: { [key: string]: SentJson } }

interface Sent {
  providerOptions?: SentProviderOptions
}

/** Base64 text or an address; from v4 on, it says which. */
interface FileDataOf {
  v2: string | URL
  v3: string | URL
  v4: { type: 'data'; data: string } | { type: 'url'; url: URL }
}
export type SentFileData<V extends SpecVersion> = FileDataOf[V]

/** A file in the result of a tool. */
interface ResultFileOf {
  v2: { type: 'media'; data: string; mediaType: string }
  v3:
    | { type: 'file-data'; data: string; mediaType: string; filename?: string }
    | { type: 'image-data'; data: string; mediaType: string }
    | { type: 'file-url' | 'image-url'; url: string }
  v4: { type: 'file'; data: FileDataOf['v4']; mediaType: string; filename?: string }
}
export type SentResultFile<V extends SpecVersion> = ResultFileOf[V]

/** Parts of an answer that only some versions know. */
interface ExtraPartOf {
  v2: never
  v3: never
  v4:
    | ({ type: 'custom'; kind: `${string}.${string}` } & Sent)
    | ({ type: 'reasoning-file'; data: FileDataOf['v4']; mediaType: string } & Sent)
}
export type SentExtraPart<V extends SpecVersion> = ExtraPartOf[V]

/** The user's decision about a call that the provider would run. */
interface ApprovalOf {
  v2: never
  v3: { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }
  v4: ApprovalOf['v3']
}
export type SentApproval<V extends SpecVersion> = ApprovalOf[V]

export interface SentText extends Sent {
  type: 'text'
  text: string
}
export interface SentReasoning extends Sent {
  type: 'reasoning'
  text: string
}
export interface SentFile<V extends SpecVersion> extends Sent {
  type: 'file'
  data: SentFileData<V>
  mediaType: string
  filename?: string
}
export interface SentCall extends Sent {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: unknown
  providerExecuted?: boolean
}
export interface SentResult<V extends SpecVersion> extends Sent {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: SentOutput<V>
}
export type SentOutput<V extends SpecVersion> =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'json' | 'error-json'; value: SentJson }
  | { type: 'content'; value: (SentContentText | SentResultFile<V>)[] }

interface SentContentText {
  type: 'text'
  text: string
}

export type SentUserPart<V extends SpecVersion> = SentText | SentFile<V>
export type SentAssistantPart<V extends SpecVersion> =
  SentText | SentReasoning | SentFile<V> | SentCall | SentResult<V> | SentExtraPart<V>

export type SentMessage<V extends SpecVersion> = Sent &
  (
    | { role: 'system'; content: string }
    | { role: 'user'; content: SentUserPart<V>[] }
    | { role: 'assistant'; content: SentAssistantPart<V>[] }
    | { role: 'tool'; content: (SentResult<V> | SentApproval<V>)[] }
  )

/** A JSON Schema; what stands in it is the schema's own affair. */
export interface SentSchema {
  type?: 'object'
}

export interface SentFunctionTool extends Sent {
  type: 'function'
  name: string
  description?: string
  inputSchema: SentSchema
}

interface InputExamplesOf {
  v2: object
  v3: { inputExamples?: { input: { [key: string]: SentJson | undefined } }[] }
  v4: InputExamplesOf['v3']
}

/** A tool that the provider defines, and often runs. */
interface ProviderToolOf {
  v2: SentProviderTool<'provider-defined'>
  v3: SentProviderTool<'provider'>
  v4: SentProviderTool<'provider'>
}
interface SentProviderTool<Type> {
  type: Type
  id: `${string}.${string}`
  name: string
  args: { [key: string]: unknown }
}

export type SentTool<V extends SpecVersion> =
  (SentFunctionTool & InputExamplesOf[V]) | ProviderToolOf[V]

export type SentToolChoice =
  { type: 'auto' | 'none' | 'required' } | { type: 'tool'; toolName: string }

export interface SentOptions<V extends SpecVersion> extends Sent {
  prompt: SentMessage<V>[]
  maxOutputTokens?: number
  temperature?: number
  stopSequences?: string[]
  topP?: number
  topK?: number
  seed?: number
  responseFormat?: { type: 'json'; schema: SentSchema; name: string }
  tools?: SentTool<V>[]
  toolChoice?: SentToolChoice
  headers?: { [name: string]: string }
  abortSignal?: AbortSignal
}
