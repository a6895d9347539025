/** Conversations and the one that is open. */
import './chat.css'
import { SplitView } from '../parts/split-view.tsx'
import { go } from '../shell/router.ts'
import { ConversationList } from './conversation-list.tsx'
import { NewConversation } from './new-conversation.tsx'
import { Thread } from './thread.tsx'

/** `new`, or none at all where there is room for both: one that nobody has begun. */
export function ChatView({ id }: { readonly id?: string }) {
  const isNew = id === undefined || id === 'new'
  return (
    <SplitView
      list={<ConversationList current={id} />}
      detail={isNew ? <NewConversation /> : <Thread key={id} id={id} />}
      showDetail={id !== undefined}
      onBack={() => go({ view: 'chat' })}
      backLabel="Conversations"
      listLabel="Conversations"
      detailLabel="Conversation"
    />
  )
}
