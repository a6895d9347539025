/**
 * Logs requests and answers with their content: adding this advisor is the consent to that. Secrets
 * are redacted, tools and their context left out. It does not look at events.
 */
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { namesSecret } from '../errors/redact-json.ts'
import { REDACTED, redact } from '../errors/redact.ts'
import { checkOptions } from '../internal/check-options.ts'
import { checkKinds, LOGGER, NUMBER } from '../schema/option-kinds.ts'
import { jsonCopy } from '../internal/json-copy.ts'
import { consoleLogger, type Logger } from '../observation/logger.ts'
import { ORDER, type AdvisedRequest, type AdvisedResponse, type Advisor } from '../loop/advisor.ts'

export interface LoggingAdvisorOptions {
  /** Takes the entries, at level debug. Default: `consoleLogger()`. */
  readonly logger?: Logger
  /** Default `ORDER.last`: every round, as the model gets it. Below `ORDER.toolCalling`: the run as a whole. */
  readonly order?: number
}

/**
 * Spring's SimpleLoggerAdvisor. A logger that throws never breaks a run.
 *
 * @example
 * const client = ChatClient.create(model, { advisors: [loggingAdvisor()] })
 */
export function loggingAdvisor(options: LoggingAdvisorOptions = {}): Advisor {
  checkOptions('loggingAdvisor()', options, ['logger', 'order'])
  checkKinds('loggingAdvisor()', options, { logger: LOGGER, order: NUMBER })
  const { logger = consoleLogger(), order = ORDER.last } = options
  // What cannot be logged, now or later, is still to be answered.
  const log = (message: string, data: () => object): void => {
    const write = async (): Promise<void> =>
      logger.debug(message, redacted(jsonCopy(data()).value) as { readonly [key: string]: unknown })
    write().catch(() => {})
  }
  return {
    name: 'logging',
    order,
    async advise(request, next) {
      const { runId, round } = request
      log('request', () => ({ runId, round, ...requestData(request) }))
      try {
        const answer = await next(request)
        log('answer', () => ({ runId, round, ...answerData(answer) }))
        return answer
      } catch (error) {
        log('failed', () => ({ runId, round, error: messageOfThrown(error) }))
        throw error
      }
    },
  }
}

function requestData({ prompt, model, mode }: AdvisedRequest): object {
  const { tools = [], toolNames: _names, toolContext: _context, ...options } = prompt.options ?? {}
  const toolNames = (tools as readonly { definition: { name: string } }[]).map(
    (tool) => tool.definition.name,
  )
  return { model: model.model, mode, messages: prompt.messages, toolNames, options }
}

function answerData({ response, pending }: AdvisedResponse): object {
  const { results, usage } = response
  return { results, usage, ...(pending && { pending }) }
}

/** A copy to be printed: secrets taken out of every text, media by their size. */
function redacted(value: unknown, key = ''): unknown {
  if (value !== undefined && namesSecret(key)) return REDACTED
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((item) => redacted(item))
  if (typeof value !== 'object' || value === null) return value
  const isMedia = 'mediaType' in value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      isMedia && name === 'data' && typeof inner === 'string'
        ? [name, `[${inner.length} characters]`]
        : [name, redacted(inner, name)],
    ),
  )
}
