/** A conversation: what was said, what is being said, and the field to go on. */
import { useCallback, useEffect, useMemo } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Icon } from '../parts/icon.tsx'
import { Spinner } from '../parts/spinner.tsx'
import { hrefOf } from '../shell/router.ts'
import { useStore } from '../shell/store.ts'
import { useShortcut } from '../shell/use-shortcut.ts'
import { ApiErrorNote } from './api-error-note.tsx'
import { Composer } from './composer.tsx'
import { Messages } from './messages.tsx'
import { OpenConversation } from './open-conversation.ts'
import { ThreadHead } from './thread-head.tsx'
import { Turns } from './turns.tsx'
import { useEarlier } from './use-earlier.ts'
import { useModelChoice } from './use-model-choice.ts'
import { useStickToBottom } from './use-stick-to-bottom.ts'

export function Thread({ id }: { readonly id: string }) {
  const conversation = useMemo(() => new OpenConversation(id), [id])
  useEffect(() => conversation.open(), [conversation])
  const { load, error } = useStore(conversation.state)
  if (load === 'loading') return <Spinner label="Loading the conversation" />
  if (load === 'missing' || load === 'deleted')
    return (
      <EmptyState
        title={load === 'missing' ? 'There is no such conversation' : 'It was deleted'}
        action={<a href={hrefOf({ view: 'chat' })}>Begin a new one</a>}
      >
        {load === 'missing' && error?.message}
      </EmptyState>
    )
  return <LoadedThread id={id} conversation={conversation} />
}

interface LoadedThreadProps {
  readonly id: string
  readonly conversation: OpenConversation
}

function LoadedThread({ id, conversation }: LoadedThreadProps) {
  const { row, window, left, isLoadingEarlier, connection, isSending, error } = useStore(
    conversation.state,
  )
  const phase = useStore(conversation.turn, (turn) => turn?.phase ?? 'over')
  const lost = useStore(conversation.turn, (turn) =>
    left === 'question' && turn?.phase === 'over' ? turn.question : undefined,
  )
  const [model, chooseModel] = useModelChoice()
  const { scroller, content, isAtBottom, toBottom } = useStickToBottom()
  useEarlier({
    scroller,
    from: window.from,
    isLoading: isLoadingEarlier,
    load: () => void conversation.loadEarlier(),
  })
  const stop = useCallback(() => void conversation.stop(), [conversation])
  useShortcut('Escape', () => phase === 'running' && stop())
  const send = (text: string): Promise<boolean> => {
    toBottom()
    return conversation.send(text, model)
  }
  return (
    <div class="thread">
      {row && <ThreadHead row={row} />}
      {connection === 'lost' && phase !== 'over' && (
        <p class="connection-note" role="status">
          The connection is lost. This page comes back by itself as soon as the server answers.
        </p>
      )}
      <div class="thread-frame">
        <div
          ref={scroller}
          class="thread-scroll"
          role="log"
          aria-live="polite"
          aria-label="Conversation"
          aria-busy={phase === 'running'}
          tabIndex={0}
        >
          <div ref={content} class="thread-content">
            <div class="earlier quiet">
              {isLoadingEarlier && <Spinner label="Loading earlier messages" />}
              {!isLoadingEarlier && window.from > 0 && (
                <Button small kind="quiet" onClick={() => void conversation.loadEarlier()}>
                  Earlier messages
                </Button>
              )}
            </div>
            <Messages messages={window.messages} />
            <Turns conversation={conversation} model={model} />
          </div>
        </div>
        {!isAtBottom && (
          <Button class="to-newest" small onClick={toBottom}>
            <Icon name="down" />
            To the newest
          </Button>
        )}
      </div>
      <p class="visually-hidden" role="status">
        {SAID[phase]}
      </p>
      {error && (
        <ApiErrorNote
          error={error}
          onRetry={error.code === 'unreachable' ? () => conversation.dismissError() : undefined}
        />
      )}
      <Composer
        key={id}
        conversation={id}
        phase={phase === 'over' ? 'idle' : phase}
        isSending={isSending}
        model={model}
        onModel={chooseModel}
        onSend={send}
        onStop={stop}
        question={lost}
      />
    </div>
  )
}

/** For those who do not see it: not every word, but where the turn stands. */
const SAID = { running: '', waiting: 'It waits for a decision', over: 'The turn is over' }
