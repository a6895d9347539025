/** Runs a program to its end with answers that are known beforehand: for contract suites and tests of sandboxes. */
import type {
  ConsoleLine,
  Delivery,
  Program,
  ProgramCall,
  ProgramEnd,
  ProgramError,
  Sandbox,
  SandboxLimits,
  Turn,
} from '../sandbox/sandbox.ts'

/** What a call comes to: its result, or what it throws as `{ code, tool, message }`. */
export type Answers = { readonly [name: string]: (input: never) => unknown }

export interface Driven {
  readonly calls: readonly ProgramCall[]
  readonly console: readonly ConsoleLine[]
  readonly fuel: number
  /** Absent: the program is quiet, and nothing is open. */
  readonly end: ProgramEnd | undefined
  readonly unhandled: readonly ProgramError[]
  readonly turns: readonly Turn[]
  readonly deliveries: readonly Delivery[]
}

/** What programs of code mode have, but for time: tests shall not depend on it. */
export const ROOMY_LIMITS: SandboxLimits = {
  fuel: 20_000,
  turnMs: 60_000,
  memoryBytes: 32 * 1024 * 1024,
  stackBytes: 64 * 1024,
  openCalls: 256,
  valueBytes: 1024 * 1024,
  consoleBytes: 16 * 1024,
}

export type ProgramParts = Partial<Omit<Program, 'code' | 'limits'>> & {
  readonly limits?: Partial<SandboxLimits>
}

export const programOf = (code: string, { limits, ...parts }: ProgramParts = {}): Program => ({
  code,
  clock: 1_700_000_000_000,
  seed: 7,
  toolNames: ['echo', 'fail'],
  hasSearch: false,
  limits: { ...ROOMY_LIMITS, ...limits },
  ...parts,
})

const ANSWERS: Answers = {
  echo: (input) => input,
  fail: ({ message }: { message: string }) => {
    throw { code: 'failed', tool: 'fail', message }
  },
}

export async function driveProgram(
  sandbox: Sandbox,
  program: Program,
  answers: Answers = {},
): Promise<Driven> {
  const open = await sandbox.open(program)
  const turns: Turn[] = []
  const deliveries: Delivery[] = []
  try {
    turns.push(await open.start())
    for (let at = 0; at < turns.length; at++) {
      const answered = turns[at]!.calls.map((call) => answerTo(call, { ...ANSWERS, ...answers }))
      deliveries.push(...answered)
      turns.push(...(await open.deliver(answered)))
    }
  } finally {
    open.dispose()
  }
  return {
    calls: turns.flatMap(({ calls }) => calls),
    console: turns.flatMap((turn) => turn.console),
    fuel: turns.at(-1)!.fuel,
    end: turns.findLast(({ end }) => end)?.end,
    unhandled: turns.at(-1)!.unhandled ?? [],
    turns,
    deliveries,
  }
}

function answerTo({ index, name, arguments: text }: ProgramCall, answers: Answers): Delivery {
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
  if (!answer) {
    const message = `There is no tool "${name}".`
    return { index, ok: false, error: { code: 'unknown-tool', tool: name, message } }
  }
  try {
    const value = answer(JSON.parse(text) as never)
    return { index, ok: true, json: value === undefined ? undefined : JSON.stringify(value) }
  } catch (error) {
    return { index, ok: false, error: error as never }
  }
}
