/**
 * One conversation on a cassette: recorded in call and in stream, and each recording replayed in both. All six runs
 * must agree: results, events but for deltas, errors. In a replay the script is empty and no tool may run.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  ChatClient,
  type ChatClientOptions,
  type ChatEvent,
  type ChatModel,
  type ChatRequest,
  type Decisions,
  type RunResult,
  type RunState,
  type ToolSource,
} from 'toolwright'
import {
  cassette,
  countingIds,
  manualClock,
  scriptedModel,
  seededRandom,
  type Cassette,
  type CassetteOptions,
  type ManualClock,
  type ScriptedStep,
} from 'toolwright/testing'

export type Mode = 'call' | 'stream'
const MODES: readonly Mode[] = ['call', 'stream']

/** What one run may use. */
export interface Stage {
  readonly mode: Mode
  /** Written by tools, so that a test sees which of them ran. */
  readonly log: unknown[]
  readonly clock: ManualClock
  readonly tape: Cassette
  readonly abort: AbortController
}

export interface Taped {
  readonly script: readonly ScriptedStep[]
  readonly model?: (scripted: ChatModel) => ChatModel
  readonly tools?: (stage: Pick<Stage, 'log' | 'clock'>) => ToolSource
  readonly client?: (stage: Stage) => ChatClientOptions
  /** What is asked, turn after turn. Default: the words "Go". */
  readonly turns?: readonly ((client: ChatClient, stage: Stage) => ChatRequest)[]
  /** Decisions for each suspension of the last turn. */
  readonly resume?: readonly ((suspended: RunResult) => Decisions)[]
  /** Runs beside each leg, to move the clock or abort. */
  readonly during?: (stage: Stage) => Promise<void>
  readonly redact?: CassetteOptions['redact']
  /** Once for the recording in `call`, with the text of its file. */
  readonly check: (told: Told) => void
}

export interface Leg {
  readonly result?: RunResult
  readonly error?: unknown
  readonly events: readonly ChatEvent[]
}

export interface Told {
  readonly legs: readonly Leg[]
  readonly log: readonly unknown[]
  readonly text: string
}

export function taped(name: string, spec: Taped): void {
  it(name, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'taped-'))
    try {
      for (const recordedIn of MODES) {
        const file = join(folder, `${recordedIn}.cassette.json`)
        const recorded = await had(spec, recordedIn, file)
        const text = readFileSync(file, 'utf8')
        if (recordedIn === 'call') spec.check({ ...recorded, text })
        for (const replayedIn of MODES) {
          const replayed = await had({ ...spec, script: [] }, replayedIn, file)
          const how = `recorded in ${recordedIn}, replayed in ${replayedIn}`
          expect(replayed.log, `${how}: tools that ran`).toEqual([])
          expect(replayed.legs.map(comparable), how).toEqual(recorded.legs.map(comparable))
        }
        expect(readFileSync(file, 'utf8'), 'a replay writes nothing').toBe(text)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

/** Has the conversation once. Records if the file is not there. */
async function had(spec: Taped, mode: Mode, file: string): Promise<Omit<Told, 'text'>> {
  const clock = manualClock()
  const log: unknown[] = []
  const scripted = scriptedModel(spec.script, { clock })
  const tools = spec.tools?.({ log, clock })
  const tape = cassette(file, {
    model: spec.model?.(scripted) ?? scripted,
    ...(tools && { tools }),
    ...(spec.redact && { redact: spec.redact }),
    mode: spec.script.length > 0 ? 'record' : 'replay',
  })
  const stage: Stage = { mode, log, clock, tape, abort: new AbortController() }
  const client = ChatClient.create(tape.model, {
    clock,
    ids: countingIds(),
    random: seededRandom(1),
    tools: tape.tools,
    ...spec.client?.(stage),
  })
  const legs: Leg[] = []
  for (const turn of spec.turns ?? [(asked) => asked.prompt('Go')])
    legs.push(await followed(turn(client, stage), spec, stage))
  for (const decide of spec.resume ?? []) {
    const suspended = legs.at(-1)!.result!
    const state = JSON.parse(JSON.stringify(suspended.state)) as RunState
    legs.push(await followed(client.resume(state, decide(suspended)), spec, stage))
  }
  await tape.finish()
  return { legs, log }
}

async function followed(request: ChatRequest, spec: Taped, stage: Stage): Promise<Leg> {
  const run = stage.mode === 'call' ? request.call() : request.stream()
  const events: ChatEvent[] = []
  const reading = (async () => {
    for await (const event of run) events.push(event)
  })()
  reading.catch(() => {})
  await spec.during?.(stage)
  try {
    await reading
    return { result: await run.result(), events }
  } catch (error) {
    return { error, events }
  }
}

function comparable({ result, error, events }: Leg): unknown {
  return {
    result: result && { ...result, state: undefined },
    error:
      error instanceof Error
        ? { name: error.name, message: error.message, code: (error as { code?: unknown }).code }
        : error,
    events: events
      .filter(({ type }) => !type.endsWith('-delta'))
      .map((event) => (event.type === 'suspended' ? { ...event, state: undefined } : event)),
  }
}
