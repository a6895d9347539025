/** Who answers what the page asks; what the paths mean stands in `protocol/routes`. */
import type { HandCalls } from './calls/hand-calls.ts'
import type { Conversations } from './conversations/conversations.ts'
import type { Turn } from './conversations/turn.ts'
import type { TurnDesk } from './conversations/turn-desk.ts'
import type { News } from './news/news.ts'
import type { Decide, Session, StartAgain, StartCall, StartTurn } from './protocol/routes.ts'
import { DECIDE, START_AGAIN, START_CALL, START_TURN } from './server/bodies.ts'
import type { EventLog, Numbered } from './server/event-log.ts'
import { Refusal } from './server/refusal.ts'
import type { Answer, Asked, Route } from './server/route.ts'
import type { EventStream } from './server/send-events.ts'
import type { ToolDesk } from './tools/tool-desk.ts'
import { openText } from './traces/open-text.ts'

export interface Rooms {
  readonly session: Session
  readonly tools: ToolDesk
  readonly calls: HandCalls
  readonly conversations: Conversations
  readonly turns: TurnDesk
  readonly news: News
}

export const routesOf = (rooms: Rooms): readonly Route[] => [
  ...generalRoutes(rooms),
  ...callRoutes(rooms),
  ...conversationRoutes(rooms),
  ...turnRoutes(rooms),
]

const generalRoutes = ({ session, tools, news, conversations }: Rooms): readonly Route[] => [
  route('GET /api/session', async () => ok(session)),
  route('GET /api/tools', async () => ok(await tools.list())),
  route('GET /api/inbox', async () => ok(await conversations.inbox())),
  route('GET /api/news', async () => {
    const waiting = await conversations.waiting()
    return { events: news.stream({ toolsRevision: tools.revision, waiting }) }
  }),
  route('POST /api/traces', async (asked) =>
    ok(openText(await asked.text(), asked.query.get('name')?.slice(0, 200) ?? 'file')),
  ),
]

const callRoutes = ({ calls }: Rooms): readonly Route[] => [
  route('GET /api/calls', async () => ok(calls.list())),
  route('POST /api/calls', async (asked) => ({
    status: 202,
    json: await calls.start(await asked.json<StartCall>(START_CALL)),
  })),
  route('GET /api/calls/{id}/events', async (asked) => follow(calls.named(asked.id).log, asked)),
  route('POST /api/calls/{id}/decisions', async (asked) => {
    const { requestId, decisions } = await asked.json<Decide>(DECIDE)
    await calls.named(asked.id).decide(requestId, decisions)
    return ACCEPTED
  }),
  route('POST /api/calls/{id}/stop', async ({ id }) => {
    await calls.named(id).stop()
    return ACCEPTED
  }),
]

const conversationRoutes = ({ conversations }: Rooms): readonly Route[] => [
  route('GET /api/conversations', async ({ query }) =>
    ok(await conversations.list(query.get('cursor') ?? undefined)),
  ),
  route('POST /api/conversations', async () => ({ status: 201, json: conversations.create() })),
  route('GET /api/conversations/{id}', async (asked) =>
    ok(await conversations.page(asked.id, numberIn(asked, 'before'))),
  ),
  route('DELETE /api/conversations/{id}', async ({ id }) => {
    await conversations.delete(id)
    return { status: 204 }
  }),
  route('GET /api/conversations/{id}/trace', async ({ id }) => ok(await conversations.trace(id))),
  route('POST /api/conversations/{id}/export', async ({ id }) =>
    ok(await conversations.export(id)),
  ),
]

const turnRoutes = ({ conversations, turns }: Rooms): readonly Route[] => {
  const ofKnown = (line: string, answer: Route['answer']): Route =>
    route(line, async (asked) => {
      await conversations.check(asked.id)
      return answer(asked)
    })
  return [
    ofKnown('POST /api/conversations/{id}/turns', async (asked) => ({
      status: 202,
      json: await turns.start(asked.id, await asked.json<StartTurn>(START_TURN)),
    })),
    ofKnown('POST /api/conversations/{id}/regenerate', async (asked) => ({
      status: 202,
      json: await turns.again(asked.id, await asked.json<StartAgain>(START_AGAIN)),
    })),
    ofKnown('GET /api/conversations/{id}/events', async (asked) => {
      const turn = await turns.find(asked.id)
      if (turn) return followTurn(turn, asked)
      throw new Refusal(404, 'no-turn', {
        message: 'No turn of this conversation is open. Load the conversation.',
      })
    }),
    ofKnown('POST /api/conversations/{id}/decisions', async (asked) => {
      await turns.decide(asked.id, await asked.json<Decide>(DECIDE))
      return ACCEPTED
    }),
    ofKnown('POST /api/conversations/{id}/stop', async ({ id }) => {
      await turns.stop(id)
      return ACCEPTED
    }),
  ]
}

/** `GET /api/calls/{id}` */
function route(line: string, answer: Route['answer']): Route {
  const [method, path] = line.split(' ') as [Route['method'], string]
  return { method, path, answer }
}

const ok = (json: unknown): Answer => ({ status: 200, json })
const ACCEPTED: Answer = { status: 202 }

const follow = (
  log: EventLog<Numbered>,
  asked: Asked,
  isPaused?: EventStream['isPaused'],
): Answer => ({ events: { log, after: numberIn(asked, 'after') ?? 0, isPaused } })

/** `until=waiting`: not while it waits for a person. A browser holds few connections to one server. */
function followTurn(turn: Turn, asked: Asked): Answer {
  const until = asked.query.get('until')
  if (until === null) return follow(turn.events, asked)
  if (until !== 'waiting')
    throw new Refusal(400, 'bad-request', { message: '"until" is not "waiting".' })
  return follow(turn.events, asked, () => turn.isAtRest)
}

function numberIn({ query }: Asked, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Refusal(400, 'bad-request', { message: `"${name}" is no whole number from 0.` })
}
