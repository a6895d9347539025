/**
 * Takes over conversations of an earlier version and adds to them: `<home> <name> <conversation>…`. Begins when it reads
 * something, so that several can begin at once.
 */
import { once } from 'node:events'
import { ConversationStore } from '../../packages/cli/src/conversations/conversation-store.ts'

const [home, name, ...conversations] = process.argv.slice(2)
const store = await ConversationStore.open({
  env: { TOOLWRIGHT_HOME: home },
  warn: (message) => console.error(message),
})
console.log('ready')
await once(process.stdin, 'data')
for (const conversation of conversations) {
  await store.take(conversation)
  await store.repository.append(conversation, [{ role: 'user', content: name! }])
}
await store.close()
process.stdin.destroy()
