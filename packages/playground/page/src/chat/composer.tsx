/** Where a person writes. What is written is kept with its conversation until it is sent. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { draftOf } from './kept-text.ts'
import { ModelSelect } from './model-select.tsx'

export interface ComposerProps {
  /** Its id, or a word for one that is not begun. */
  readonly conversation: string
  readonly phase: 'idle' | 'running' | 'waiting'
  readonly isSending: boolean
  readonly model: string
  readonly onModel: (id: string) => void
  /** Whether it was started: then the field is emptied. */
  readonly onSend: (text: string) => Promise<boolean>
  readonly onStop: () => void
  /** The question of a turn that went wrong, which comes back into an empty field. */
  readonly question?: string
}

const HINTS = {
  idle: 'Enter sends, Shift+Enter begins a line',
  running: 'Esc stops it',
  waiting: 'It waits for your decision above; or stop it',
}

export function Composer(props: ComposerProps) {
  const { conversation, phase, isSending, question } = props
  const draft = draftOf(conversation)
  const [text, setText] = useState(() => draft.get())
  const field = useRef<HTMLTextAreaElement>(null)
  const hint = useId()
  const write = (next: string): void => {
    draft.set(next)
    setText(next)
  }
  useLayoutEffect(() => grow(field.current!), [text])
  useEffect(() => {
    // On a phone it would open the keyboard over what is to be read; whoever has no pointer at all has keys.
    if (!matchMedia('(pointer: coarse)').matches) field.current!.focus({ preventScroll: true })
  }, [conversation])
  const broughtBack = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (question !== undefined && draft.get() === '') write(question)
    // It was asked again by the button beside it: then it is not asked a second time.
    else if (question === undefined && draft.get() === broughtBack.current) write('')
    broughtBack.current = question
  }, [question])
  const canSend = text.trim() !== '' && phase === 'idle' && !isSending && props.model !== ''
  const send = async (): Promise<void> => {
    if (canSend && (await props.onSend(text.trim()))) write('')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // While a word is being composed, Enter takes the word and Escape leaves it.
    if (event.isComposing) return
    if (event.key === 'Escape' && phase === 'running') props.onStop()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    void send()
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={field}
        class="composer-field"
        rows={1}
        aria-label="Your question"
        aria-describedby={hint}
        placeholder="Ask something that needs a tool"
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-foot row">
        <ModelSelect value={props.model} onChange={props.onModel} />
        <span id={hint} class="composer-hint quiet">
          {HINTS[phase]}
        </span>
        {phase === 'idle' ? (
          <Button kind="primary" type="submit" busy={isSending} disabled={text.trim() === ''}>
            <Icon name="send" />
            Send
          </Button>
        ) : (
          <Button onClick={props.onStop}>
            <Icon name="stop" />
            Stop
          </Button>
        )}
      </div>
    </form>
  )
}

const HIGHEST_PX = 240

function grow(field: HTMLTextAreaElement): void {
  field.style.height = 'auto'
  field.style.height = `${Math.min(field.scrollHeight + 2, HIGHEST_PX)}px`
}
