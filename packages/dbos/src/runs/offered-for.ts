/** The tools that a run of this client is offered: those that its options name, or else the client's own. */
import type { ChatClient, ToolCallback } from 'toolwright'

export const offeredFor = (
  client: ChatClient,
  toolNames: readonly string[] | undefined,
): Promise<readonly ToolCallback[]> =>
  (toolNames ? client.with({ tools: [], toolNames }) : client).offeredTools()
