/** What somebody does in the page, by the real `Chat` behind `useChat`, over HTTP. The same for every server. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { textOf } from 'toolwright'
import type { ScriptedStep } from 'toolwright/testing'
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type DynamicToolUIPart,
  type UIMessage,
} from 'ai'
// `@ai-sdk/react` of ai 6; this repository has two of them.
import { Chat } from 'ai-sdk-react-v3'
import { chatApp, type ChatApp } from './chat-app.ts'

export interface Served {
  readonly url: string
  close(): Promise<void>
}

const PAYING: readonly ScriptedStep[] = [
  {
    text: 'Two are due.',
    toolCalls: [
      { name: 'pay', id: 'small', arguments: { amount: 20 } },
      { name: 'pay', id: 'large', arguments: { amount: 9000 } },
    ],
  },
  // Takes a while, so that a page can be loaded again meanwhile.
  { text: 'One is paid.', delayMs: 300 },
]
/** Knows only what it reads in the conversation. */
const REMEMBERING: ScriptedStep = ({ messages }) => {
  const paid = /"paid":(\d+)/.exec(messages.map((message) => textOf(message)).join(' '))?.[1]
  return paid === undefined ? 'I do not know.' : `You have paid ${paid}.`
}

/** How often it reads the newest question. */
const COUNTING: ScriptedStep = ({ messages }) => {
  const asked = messages.filter((each) => each.role === 'user').map((each) => textOf(each))
  return `Asked ${asked.filter((text) => text === asked.at(-1)).length} time.`
}
const NEVER_ENDING: ScriptedStep = { text: 'To begin with, ', hang: true }

/**
 * Pays one of two invoices in a page that is loaded again in between, asks again when the server was restarted, wants
 * another answer, and stops one.
 */
export async function visit(serve: (app: ChatApp) => Promise<Served>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-ui-'))
  const address = `file:${join(folder, 'chat.db')}`
  await served(serve, await chatApp(address, PAYING), async (url) => {
    const page = await open(url)
    await page.sendMessage({ text: 'Pay what is due' })
    assert.deepEqual(states(page), ['approval-requested', 'approval-requested'])

    const nameless = await fetch(`${url}/api/chat`, { method: 'POST', body: '{"messages":[]}' })
    assert.equal(nameless.status, 400)
    await refused(url, 'Something waits to be decided first.')
    const again = await open(url)
    const [small] = parts(again)
    assert.deepEqual(small!.approval, {
      id: 'small',
      descriptor: { says: 'Pays 20 from the main account' },
      requestReason: 'The call needs approval.',
    })
    await again.addToolApprovalResponse({ id: 'small', approved: true })
    await again.addToolApprovalResponse({ id: 'large', approved: false })
    // It sends by itself once everything is decided.
    await until(again, () => states(again).includes('output-denied'))
    // Loaded while the run goes on: it gets the message from its beginning.
    const meanwhile = await open(url)
    await until(again, () => again.status === 'ready')
    for (const each of [again, meanwhile]) {
      assert.deepEqual(each.messages.map(({ role }) => role), ['user', 'assistant']) // prettier-ignore
      assert.deepEqual(states(each), ['output-available', 'output-denied'])
      assert.equal(textIn(each), 'One is paid.')
    }
  })
  const steps = [REMEMBERING, COUNTING, NEVER_ENDING, COUNTING]
  await served(serve, await chatApp(address, steps), async (url) => {
    const page = await open(url)
    assert.deepEqual(states(page), ['output-available', 'output-denied'])
    await page.sendMessage({ text: 'What have I paid?' })
    assert.equal(textIn(page), 'You have paid 20.')
    for (const { role, parts: said } of page.messages)
      for (const part of said)
        if (part.type === 'text') console.log(`${role === 'user' ? '>' : ' '} ${part.text}`)
        else if (part.type === 'dynamic-tool') console.log(`  [pay ${JSON.stringify(part.input)}: ${part.state}]`) // prettier-ignore

    await page.regenerate()
    assert.equal(textIn(page), 'Asked 1 time.')
    await stopped(url)
    const fresh = await open(url)
    await fresh.sendMessage({ text: 'And now?' })
    assert.equal(textIn(fresh), 'Asked 1 time.')
  })
  rmSync(folder, { recursive: true })
}

/** Says something in a page of its own, which is not taken. */
async function refused(url: string, why: string): Promise<void> {
  const page = await open(url, { resume: false })
  await page.sendMessage({ text: 'And what is the weather?' })
  assert.ok(page.error?.message.startsWith(why), page.error?.message)
}

/** A page that stops only leaves; the server has an address for the run itself. */
async function stopped(url: string): Promise<void> {
  const page = await open(url)
  const sending = page.sendMessage({ text: 'Tell me everything' })
  await until(page, () => textIn(page)?.startsWith('To begin with') === true)
  await refused(url, 'This conversation is being answered.')
  await page.stop()
  await sending
  await fetch(`${url}/api/chat/c1/stop`, { method: 'POST' })
  // Nothing runs any more (204), and the page keeps half an answer: what is true has the server.
  await page.resumeStream()
  assert.equal(textIn(page)?.startsWith('To begin with'), true)
  page.messages = await loaded(url)
  assert.equal(page.messages.at(-1)?.role, 'user')
}

async function until(page: Chat<UIMessage>, isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    assert.equal(page.error, undefined)
    await pause(5)
  }
}

async function served(
  serve: (app: ChatApp) => Promise<Served>,
  app: ChatApp,
  during: (url: string) => Promise<void>,
): Promise<void> {
  const server = await serve(app)
  try {
    await during(server.url)
  } finally {
    await server.close()
    await app.close()
  }
}

async function loaded(url: string): Promise<UIMessage[]> {
  const response = await fetch(`${url}/api/chat/c1`)
  assert.equal(response.status, 200)
  return (await response.json()) as UIMessage[]
}

/** The page is loaded. */
async function open(url: string, { resume = true } = {}): Promise<Chat<UIMessage>> {
  const page = new Chat<UIMessage>({
    id: 'c1',
    messages: await loaded(url),
    transport: new DefaultChatTransport({ api: `${url}/api/chat` }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  // If something runs it is read to its end; if not, the page is told so, and begins with what it has.
  if (resume) await page.resumeStream()
  assert.equal(page.error, undefined)
  return page
}

const parts = (page: Chat<UIMessage>): readonly DynamicToolUIPart[] =>
  page.messages.flatMap((message) => message.parts.filter((part) => part.type === 'dynamic-tool'))
const states = (page: Chat<UIMessage>): readonly string[] => parts(page).map(({ state }) => state)
const textIn = (page: Chat<UIMessage>): string | undefined =>
  page.messages.at(-1)?.parts.findLast((part) => part.type === 'text')?.text
