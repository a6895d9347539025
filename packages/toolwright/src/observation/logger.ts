/**
 * Where the library writes what it does. Silent by default: give `logger` to a client or manager, or set
 * `TOOLWRIGHT_LOG=debug`. Main operations are logged at debug; what no reader of a run learns otherwise, at warn.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import { jsonText } from '../internal/json-copy.ts'

/** Takes a sentence and plain data. If it throws, the run goes on. */
export type LogWrite = (message: string, data?: { readonly [key: string]: unknown }) => void

export interface Logger {
  /** Asks for content: prompts, answers, arguments, results. Default false. */
  readonly content?: boolean
  readonly debug: LogWrite
  readonly info: LogWrite
  readonly warn: LogWrite
  readonly error: LogWrite
}

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LEVELS)[number]

export interface ConsoleLoggerOptions {
  /** The least that is printed. Default `debug`. */
  readonly level?: LogLevel
  /** Prints prompts, answers, arguments and results too. Default false. */
  readonly content?: boolean
}

/**
 * Prints one line per entry with `console.error`, which is stderr on servers.
 *
 * @example
 * const client = ChatClient.create(model, { logger: consoleLogger({ level: 'warn' }) })
 */
export function consoleLogger(options: ConsoleLoggerOptions = {}): Logger {
  checkOptions('consoleLogger()', options, ['level', 'content'])
  const { level = 'debug', content = false } = options
  if (!isLevel(level))
    throw new ConfigurationError('invalid-option', `level is one of ${LEVELS.join(', ')}.`)
  const writer = (own: LogLevel): LogWrite =>
    LEVELS.indexOf(own) < LEVELS.indexOf(level)
      ? () => {}
      : (message, data = {}) => console.error(`toolwright ${own} ${message} ${jsonText(data)}`)
  return {
    content,
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  }
}

/** A logger as given, or the one that `TOOLWRIGHT_LOG` asks for by its level. */
export function loggerOf(logger: Logger | string | undefined): Logger | undefined {
  if (typeof logger !== 'string') return logger
  if (isLevel(logger)) return consoleLogger({ level: logger })
  // Said once, and then nothing more.
  if (!unknownLevels.has(logger))
    console.error(`toolwright: TOOLWRIGHT_LOG takes ${LEVELS.join(', ')}; it is "${logger}".`)
  unknownLevels.add(logger)
  return undefined
}

const unknownLevels = new Set<string>()
const isLevel = (text: string): text is LogLevel => (LEVELS as readonly string[]).includes(text)
