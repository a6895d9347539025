/**
 * Sees every statement that this process sends to any PostgreSQL, of whichever package, and can end the process at one of
 * them: that is every boundary a run has, because a run leaves nothing behind but what it tells a database. Counted are
 * the statements of one run that change something: those that name it, and the `commit` of a transaction in which one
 * did. Between two of them nothing is left behind, so a kill there is a kill after the first.
 */
import pg from 'pg'

/**
 * `before`: the statement is not sent. `sent`: it is, and nobody hears the answer. `answered`: the answer has come, and
 * nobody has seen it. `given`: it was given on, and what follows from it at once has happened.
 */
export type KillPosition = 'before' | 'sent' | 'answered' | 'given'
export const KILL_POSITIONS: readonly KillPosition[] = ['before', 'sent', 'answered', 'given']

export interface StatementKill {
  /** The number of the statement among those of the run, from 0; or how the first one begins that is meant. */
  readonly statement: number | string
  readonly position: KillPosition
}

export interface StatementWatch {
  /** Counts from 0 for this run from now on, and ends the process where `kill` says. */
  watch(run: string, kill?: StatementKill): void
  /** The statements of the watched run so far, as text. */
  readonly seen: readonly string[]
}

type Callback = (error: unknown, result: unknown) => void

export function watchStatements(): StatementWatch {
  const inTransaction = new WeakMap<object, boolean>()
  let run: string | undefined
  let kill: StatementKill | undefined
  let seen: string[] = []

  const isOfRun = (client: object, text: string, values: unknown): boolean => {
    if (run === undefined) return false
    const names = text.includes(run) || JSON.stringify(values ?? null).includes(run)
    if (/^\s*(begin|start)/i.test(text)) inTransaction.set(client, false)
    else if (/^\s*(commit|rollback|end)\b/i.test(text)) {
      const was = inTransaction.get(client) ?? false
      inTransaction.set(client, false)
      return was
    } else if (names) inTransaction.set(client, true)
    return names && !/^\s*select\b/i.test(text)
  }

  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const query = function (this: object, ...args: unknown[]): unknown {
    const [config, values] = args
    const text = typeof config === 'string' ? config : String((config as { text?: string }).text)
    const given = typeof config === 'string' ? values : (config as { values?: unknown }).values
    const parameters = typeof given === 'function' ? undefined : given
    if (!isOfRun(this, text, parameters)) return original.apply(this, args)
    const isMeant =
      typeof kill?.statement === 'string'
        ? text.startsWith(kill.statement)
        : kill?.statement === seen.length
    const position = isMeant ? kill!.position : undefined
    seen.push(text.replace(/\s+/g, ' ').trim().slice(0, 120))
    if (position === undefined) return original.apply(this, args)
    if (position === 'before') die()
    const last = args.at(-1)
    if (typeof last === 'function')
      args[args.length - 1] = diesAnswering(last as Callback, position)
    const result = original.apply(this, args)
    if (position === 'sent') die()
    if (typeof last === 'function') return result
    return (result as Promise<unknown>).then((answer) => {
      if (position === 'answered') die()
      setImmediate(die)
      return answer
    })
  }
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query

  return {
    watch(named, at) {
      run = named
      kill = at
      seen = []
    },
    get seen() {
      return seen
    },
  }
}

const diesAnswering =
  (callback: Callback, position: KillPosition): Callback =>
  (error, result) => {
    if (position === 'answered') die()
    setImmediate(die)
    callback(error, result)
  }

/** Nothing runs after it, not one statement more. */
function die(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}
