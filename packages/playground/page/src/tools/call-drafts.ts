/** What was typed to call a tool with. It stays when the tools are loaded again or another one is looked at. */
import type { Json } from 'toolwright'
import type { ShownTool } from '../../../src/protocol/shown-tool.ts'
import { initialValue } from '../form/initial-value.ts'
import { createStore, useStore } from '../shell/store.ts'

export interface CallDraft {
  readonly input: Json | undefined
  /** JSON as it was typed. */
  readonly context: string
}

const store = createStore<{ readonly [tool: string]: CallDraft }>({})

export function useCallDraft(tool: ShownTool) {
  const kept = useStore(store, (drafts) => drafts[tool.name])
  const draft = kept ?? { input: tool.inputExamples[0] ?? emptyInput(tool), context: '' }
  const setDraft = (next: Partial<CallDraft>) =>
    store.set((drafts) => ({
      ...drafts,
      [tool.name]: { ...(drafts[tool.name] ?? draft), ...next },
    }))
  return { draft, setDraft }
}

export const emptyInput = ({ inputSchema }: ShownTool): Json =>
  initialValue(inputSchema, inputSchema) ?? {}
