/** Has a conversation again: once to record it, and once more from the cassette, to see that the test will pass. */
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  textOf,
  type ChatModel,
  type Decisions,
  type PendingCall,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'
import { cassette } from 'toolwright/testing'
import { ReplayParts } from './replay-parts.ts'
import type { Turn, Turns } from './turns-of.ts'

/** As in a chat of the command. */
export const REMEMBERED_MESSAGES = 200

/** A turn as it is played: what was decided on the way, and what came of it. */
export interface PlayedTurn {
  readonly user: Turn['user']
  readonly decisions: readonly Decisions[]
  readonly answer: string
}

/** Records into the file, which must not be there. */
export async function recordTurns(
  file: string,
  { system, turns }: Turns,
  own: readonly ToolCallback[],
): Promise<void> {
  const parts = new ReplayParts(turns, own)
  const tape = cassette(file, { model: parts.model, tools: parts.tools, mode: 'record' })
  const client = clientOf(tape.model, tape.tools, system)
  for (const turn of turns) {
    parts.begin(turn)
    await playTurn(client, turn, (pending) => parts.decide(pending))
  }
  await tape.finish()
}

/** Plays the cassette as the test will, with the same decisions. */
export async function replayTurns(
  file: string,
  { system, turns }: Turns,
  own: readonly ToolCallback[],
): Promise<readonly PlayedTurn[]> {
  const parts = new ReplayParts(turns, own)
  const tape = cassette(file, { mode: 'replay', ...(own.length > 0 && { tools: own }) })
  const client = clientOf(tape.model, tape.tools, system)
  const played: PlayedTurn[] = []
  for (const turn of turns) {
    parts.begin(turn)
    played.push(await playTurn(client, turn, (pending) => parts.decide(pending)))
  }
  await tape.finish()
  return played
}

const clientOf = (
  model: ChatModel,
  tools: readonly ToolSource[],
  system: string | undefined,
): ChatClient =>
  ChatClient.create(model, {
    tools,
    ...(system !== undefined && { system }),
    advisors: [
      chatMemoryAdvisor(messageWindowMemory({ maxMessages: REMEMBERED_MESSAGES }), {
        storeToolExchange: true,
      }),
    ],
  })

async function playTurn(
  client: ChatClient,
  { user }: Turn,
  decide: (pending: readonly PendingCall[]) => Decisions,
): Promise<PlayedTurn> {
  const decisions: Decisions[] = []
  const asked = typeof user.content === 'string' ? user.content : [user]
  let result = await client.prompt(asked).conversation('test').call().result()
  while (result.status === 'suspended') {
    const decided = decide(result.pending!)
    decisions.push(decided)
    result = await client.resume(result.state!, decided).conversation('test').call().result()
  }
  return { user, decisions, answer: textOf(result.response) }
}
