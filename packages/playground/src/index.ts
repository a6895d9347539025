/** Serves the playground on loopback. */
export type {
  ExportedConversation,
  LintFinding,
  OfferedTool,
  Playground,
  PlaygroundModel,
  PlaygroundOptions,
  PlaygroundTools,
} from './playground-options.ts'
