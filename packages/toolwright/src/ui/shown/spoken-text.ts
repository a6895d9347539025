/** The text of an answer that came in one piece, without what is private. */
import type { ChatResponse } from '../../messages/chat-response.ts'
import { textOfContent } from '../../messages/reading.ts'

export function spokenText({ results }: ChatResponse): string {
  const texts = results.map(({ message: { content, label } }) => {
    if (label?.private) return ''
    const isWhole = typeof content === 'string'
    return textOfContent(isWhole ? content : content.filter((part) => !part.label?.private))
  })
  return texts.filter((text) => text !== '').join('\n\n')
}
