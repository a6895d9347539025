/** One exchange with a model: what it got, word for word, and what it said. */
import type { ComponentChildren } from 'preact'
import type { TraceExchange } from 'toolwright/trace'
import type { TapeExchange } from '../../../src/protocol/opened-trace.ts'
import { printable } from '../parts/printable.ts'
import { Facts } from './facts.tsx'
import { ValueBlock } from './marked.tsx'
import { isLoose, looseList, ModelMessage, type Loose } from './model-message.tsx'
import * as words from './trace-words.ts'

export function ExchangeDetail({ exchange }: { readonly exchange: TraceExchange }) {
  const { options, toolNames, messages, answer, failure } = exchange
  return (
    <div class="stack">
      <Facts facts={factsOf(exchange)} />
      {failure && <p class="note note-danger">{printable(words.failure(failure))}</p>}
      {Object.keys(options).length > 0 && (
        <Part title="Options">
          <ValueBlock value={options} />
        </Part>
      )}
      <Offered names={toolNames} />
      {messages ? (
        <Messages messages={messages} />
      ) : (
        <p class="quiet">What was said was not recorded: the trace was written without content.</p>
      )}
      {answer !== undefined && <Answer answer={answer} />}
    </div>
  )
}

export const TapeExchangeDetail = ({ exchange }: { readonly exchange: TapeExchange }) => (
  <div class="stack">
    <Offered names={exchange.tools.map(({ name }) => name)} />
    <Messages messages={exchange.messages as unknown as readonly Loose[]} />
    <Answer answer={exchange.answer} />
  </div>
)

function factsOf(exchange: TraceExchange): readonly (readonly [string, string])[] {
  const { startedAt, firstChunkAt, chunks, usage = {}, answeredBy, finishReason } = exchange
  return [
    ['Model', `${exchange.provider} ${exchange.model}`.trim()],
    ['Answered by', answeredBy === exchange.model ? '' : (answeredBy ?? '')],
    ['Took', words.durationOf(exchange)],
    [
      'First piece after',
      firstChunkAt === undefined ? '' : words.duration(firstChunkAt - startedAt),
    ],
    ['Pieces', chunks === undefined ? '' : words.count(chunks)],
    ['Input tokens', numberOf(usage.inputTokens)],
    ['Output tokens', numberOf(usage.outputTokens)],
    ['Cached', numberOf(usage.cacheReadTokens)],
    ['Reasoning tokens', numberOf(usage.reasoningTokens)],
    ['Ended by', finishReason ?? ''],
    ['Id', exchange.responseId ?? ''],
  ]
}

const numberOf = (n: number | undefined): string => (n === undefined ? '' : words.count(n))

const Offered = ({ names }: { readonly names: readonly string[] }) => (
  <Part title={`Tools offered (${names.length})`}>
    <p class="mono">{names.length === 0 ? 'none' : printable(names.join(', '))}</p>
  </Part>
)

const Messages = ({ messages }: { readonly messages: readonly Loose[] }) => (
  <Part title={`What the model got (${messages.length})`}>
    <ol class="model-messages">
      {messages.map((message, index) => (
        <ModelMessage key={index} message={message} />
      ))}
    </ol>
  </Part>
)

/** The generations of an answer, or whatever a tape has for one. */
function Answer({ answer }: { readonly answer: unknown }) {
  const generations = looseList(isLoose(answer) ? answer.results : answer)
  const messages = generations.flatMap(({ message }) => (isLoose(message) ? [message] : []))
  return (
    <Part title="What it answered">
      {messages.length === 0 ? (
        <ValueBlock value={answer ?? null} />
      ) : (
        <ol class="model-messages">
          {messages.map((message, index) => (
            <ModelMessage key={index} message={message} />
          ))}
        </ol>
      )}
    </Part>
  )
}

const Part = ({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) => (
  <section class="detail-part">
    <h3>{title}</h3>
    {children}
  </section>
)
