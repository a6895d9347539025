/** What `otelObserver()` takes, checked once. */
import { checkOptions, ConfigurationError } from 'toolwright'
import { Instruments } from './instruments.ts'
import type { InferenceNames } from './names.ts'

export interface OtelObserverOptions {
  /**
   * Records prompts, answers, arguments and results, redacted and cut. Default false: none of it leaves. What is in
   * the tool context never does.
   */
  readonly content?: boolean
  /**
   * How the timings of model calls are named: `gen_ai.client.operation.…` as most backends know them (default), or
   * `gen_ai.client.inference.…` as the conventions are about to call them.
   */
  readonly inferenceNames?: InferenceNames
  /** Names the spans and metrics of these runs, e.g. `support`. Default: they have no name. */
  readonly agentName?: string
}

export interface OtelSettings {
  readonly content: boolean
  readonly agentName: string | undefined
  readonly instruments: Instruments
}

const OPTIONS = ['content', 'inferenceNames', 'agentName'] as const

export function otelSettings(options: OtelObserverOptions): OtelSettings {
  checkOptions('otelObserver()', options, OPTIONS)
  const { content = false, inferenceNames = 'operation', agentName } = options
  if (typeof content !== 'boolean') throw invalid('content', 'true or false')
  if (inferenceNames !== 'operation' && inferenceNames !== 'inference')
    throw invalid('inferenceNames', "'operation' or 'inference'")
  if (agentName !== undefined && (typeof agentName !== 'string' || agentName === ''))
    throw invalid('agentName', 'a text')
  return { content, agentName, instruments: new Instruments(inferenceNames) }
}

const invalid = (name: string, takes: string): ConfigurationError =>
  new ConfigurationError('invalid-option', `otelObserver(): ${name} takes ${takes}.`)
