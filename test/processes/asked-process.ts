/** A process that answers questions, and may end at any moment. The side that asks, and the side that answers. */
import { fork } from 'node:child_process'

/** What a process can be asked, by name. Arguments and answers are JSON. */
export type Answers = { readonly [name: string]: (asked: never) => Promise<unknown> }

type Asked<Answer> = Answer extends (asked: infer Argument) => unknown ? Argument : never
type Given<Answer> = Answer extends (asked: never) => Promise<infer Value> ? Value : never

export interface AskedProcess<Known extends Answers> {
  readonly pid: number
  readonly isAlive: boolean
  /** Rejects with `ProcessEnded` when the process ends before it has answered, or with what it says. */
  ask<Name extends keyof Known & string>(
    name: Name,
    asked: Asked<Known[Name]>,
  ): Promise<Given<Known[Name]>>
  kill(signal: NodeJS.Signals): void
  /** Resolves when it is gone. */
  readonly ended: Promise<void>
}

export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded'
}

/** The other side said no. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly code: string | undefined

  constructor(code: string | undefined, message: string) {
    super(message)
    this.code = code
  }
}

/** Asked first, by whoever starts the process. */
const READY = 'ready'

interface Question {
  readonly id: number
  readonly name: string
  readonly asked: unknown
}

interface Reply {
  readonly id: number
  readonly given?: unknown
  readonly error?: { readonly code?: string; readonly message: string }
}

/** Resolves when the process answers. `task` reaches it as JSON in its first argument. */
export async function startAsked<Known extends Answers>(
  file: string,
  task: object,
): Promise<AskedProcess<Known>> {
  const child = fork(file, [JSON.stringify(task)], { execArgv: [] })
  const waiting = new Map<number, (reply: Reply) => void>()
  let asked = 0
  let isAlive = true
  const gone = (): Reply => ({ id: 0, error: { code: 'ended', message: 'The process has ended.' } })
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      isAlive = false
      for (const settle of waiting.values()) settle(gone())
      waiting.clear()
      resolve()
    }),
  )
  child.on('error', () => {})
  child.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  const reply = (name: string, argument: unknown): Promise<Reply> =>
    new Promise((resolve) => {
      if (!isAlive) return resolve(gone())
      const id = ++asked
      waiting.set(id, resolve)
      child.send({ id, name, asked: argument } satisfies Question, () => {})
    })
  const process: AskedProcess<Known> = {
    pid: child.pid!,
    get isAlive() {
      return isAlive
    },
    async ask(name, argument) {
      const { given, error } = await reply(name, argument)
      if (error?.code === 'ended') throw new ProcessEnded(error.message)
      if (error) throw new AnswerError(error.code, error.message)
      return given as never
    },
    kill: (signal) => void child.kill(signal),
    ended,
  }
  const { error } = await reply(READY, undefined)
  if (error) throw new ProcessEnded(`The process did not start: ${error.message}`)
  return process
}

/**
 * In the process: answers until it is ended, or the one that asks is gone, also while it still prepares itself. A process
 * that cannot prepare itself ends.
 */
export async function answerQuestions(prepare: () => Promise<Answers>): Promise<void> {
  process.on('disconnect', () => process.exit())
  const prepared = prepare()
  process.on('message', ({ id, name, asked }: Question) => {
    const send = (reply: Omit<Reply, 'id'>): void => void process.send!({ id, ...reply }, () => {})
    void prepared
      .then((answers) => (name === READY ? undefined : answers[name]!(asked as never)))
      .then(
        (given) => send({ given }),
        ({ code = '', message }: { readonly code?: string; readonly message: string }) =>
          send({ error: { code, message: `${code} ${message}` } }),
      )
  })
  await prepared
}
