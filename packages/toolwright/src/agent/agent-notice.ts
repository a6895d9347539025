/** Something worth knowing about an agent that is no error; in a run it is a `notice` event. */
import type { Json } from '../messages/json.ts'

export interface AgentNotice {
  readonly code:
    'agent-missing-activity' | 'agent-undescribed-result' | 'agent-ignored-field' | 'agent-version'
  readonly message: string
  readonly data?: Json
}
