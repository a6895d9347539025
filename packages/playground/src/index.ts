/** Serves the playground on loopback. */
export { servePlayground } from './serve-playground.ts'
export type {
  ExportedConversation,
  LintFinding,
  OfferedTool,
  Playground,
  PlaygroundModel,
  PlaygroundOptions,
  PlaygroundTools,
  UnexportedConversation,
} from './playground-options.ts'
