/**
 * Writes through a logger of pino, or of anything that is called as pino is: first the data, then the words. The
 * library does not load pino.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import { LEVELS, type Logger, type LogLevel, type LogWrite } from './logger.ts'

/** What is used of pino. */
export type PinoLike = {
  readonly [level in LogLevel]: (data: object, message: string) => void
}

export interface PinoLoggerOptions {
  /** Writes prompts, answers, arguments and results too. Default false. */
  readonly content?: boolean
}

/**
 * @example
 * const client = ChatClient.create(model, { logger: pinoLogger(pino({ level: 'debug' })) })
 */
export function pinoLogger(pino: PinoLike, options: PinoLoggerOptions = {}): Logger {
  if (!LEVELS.every((level) => typeof pino?.[level] === 'function'))
    throw new ConfigurationError(
      'invalid-option',
      'pinoLogger() takes a logger of pino: an object with debug(), info(), warn() and error().',
    )
  checkOptions('pinoLogger()', options, ['content'])
  const { content = false } = options
  const writer =
    (level: LogLevel): LogWrite =>
    (message, data = {}) =>
      pino[level](data, message)
  return {
    content,
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  }
}
