/** What a playground is given by whoever serves it: the command, or a program of one's own. Types only. */
import type { Database } from '@toolwright/sql'
import type { ChatModel, Message, ToolCallback, ToolSource } from 'toolwright'
import type { Export } from './protocol/routes.ts'
import type { ToolFinding } from './protocol/shown-tool.ts'

export interface PlaygroundOptions {
  /** Tools that stay as they are, or those that may change while the page is open. */
  readonly tools: readonly ToolCallback[] | PlaygroundTools
  /** The first is taken unless a person chooses another. At least one. Nothing else is ever asked. */
  readonly models: readonly PlaygroundModel[]
  /** Keeps conversations and what waits for a decision. Whoever opened it closes it. */
  readonly database: Database
  /** Where traces and the key of suspended runs are kept. Made if it is not there, for its owner only. */
  readonly folder: string
  /** What the model is told first. */
  readonly system?: string
  /** Default 0: a free one. A port that is taken rejects with a `ConfigurationError`. */
  readonly port?: number
  /** Turns a conversation into files, or says why it cannot. Default: the page does not offer it. */
  readonly exportConversation?: (
    conversation: ExportedConversation,
  ) => Promise<Export | UnexportedConversation>
  /** What makes a model choose or call the tools badly. Default: nothing is found. */
  readonly lint?: (tools: readonly ToolCallback[]) => Promise<readonly LintFinding[]>
  /** Serve it although NODE_ENV is `production`: whoever has the address can call the tools. Default: it rejects there. */
  readonly allowInProduction?: boolean
  /** What the server has to say to whoever started it. Default: nobody hears it. */
  readonly warn?: (message: string) => void
}

export interface PlaygroundModel {
  /** What the page calls it, e.g. `openai:gpt-5.4`. */
  readonly id: string
  readonly label: string
  readonly isDemo?: boolean
  readonly model: ChatModel
}

/** The tools, as they are now. They may change while the page is open. */
export interface PlaygroundTools {
  /** Names of files and servers, for people. */
  readonly sources: readonly string[]
  list(): Promise<readonly OfferedTool[]>
  /** What a run is given. */
  runSources(): readonly ToolSource[]
  /** Why the newest version could not be loaded. */
  readonly problem: string | undefined
  /** `name: reason` of each tool that is not offered. */
  readonly quarantined: readonly string[]
  /** The listener hears of each change. Returns what ends the listening. */
  onChange(listener: () => void): () => void
}

export interface OfferedTool {
  readonly callback: ToolCallback
  /** One of `sources`. */
  readonly source: string
}

/** A conversation of which no files can be made. */
export interface UnexportedConversation {
  /** Why, and what to do. The page shows it. */
  readonly problem: string
}

export interface ExportedConversation {
  readonly id: string
  readonly title: string
  readonly messages: readonly Message[]
}

export interface LintFinding extends ToolFinding {
  /** The tool's name; missing if the finding is about several. */
  readonly tool?: string
}

/** A playground that is served. */
export interface Playground extends AsyncDisposable {
  /** What to open in a browser, with its token: `http://127.0.0.1:4111/?token=…`. */
  readonly url: string
  readonly port: number
  /** Ends runs and connections. */
  close(): Promise<void>
}
