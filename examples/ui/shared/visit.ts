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
  'One is paid.',
]
/** Knows only what it reads in the conversation. */
const REMEMBERING: ScriptedStep = ({ messages }) => {
  const paid = /"paid":(\d+)/.exec(messages.map((message) => textOf(message)).join(' '))?.[1]
  return paid === undefined ? 'I do not know.' : `You have paid ${paid}.`
}

/** Pays one of two invoices in a page that is loaded again in between, and asks again when the server was restarted. */
export async function visit(serve: (app: ChatApp) => Promise<Served>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-ui-'))
  const address = `file:${join(folder, 'chat.db')}`
  await served(serve, await chatApp(address, PAYING), async (url) => {
    const page = await open(url)
    await page.sendMessage({ text: 'Pay what is due' })
    assert.deepEqual(states(page), ['approval-requested', 'approval-requested'])

    const again = await open(url)
    const [small] = parts(again)
    assert.deepEqual(small!.approval, {
      id: 'small',
      descriptor: { says: 'Pays 20 from the main account' },
    })
    await again.addToolApprovalResponse({ id: 'small', approved: true })
    await again.addToolApprovalResponse({ id: 'large', approved: false })
    // It sends by itself once everything is decided.
    while (textIn(again) !== 'One is paid.' || again.status !== 'ready') {
      assert.equal(again.error, undefined)
      await pause(5)
    }
    assert.deepEqual(states(again), ['output-available', 'output-denied'])
  })
  await served(serve, await chatApp(address, [REMEMBERING]), async (url) => {
    const page = await open(url)
    assert.deepEqual(states(page), ['output-available', 'output-denied'])
    await page.sendMessage({ text: 'What have I paid?' })
    assert.equal(textIn(page), 'You have paid 20.')
    for (const { role, parts: said } of page.messages)
      for (const part of said)
        if (part.type === 'text') console.log(`${role === 'user' ? '>' : ' '} ${part.text}`)
        else if (part.type === 'dynamic-tool') console.log(`  [pay ${JSON.stringify(part.input)}: ${part.state}]`) // prettier-ignore
  })
  rmSync(folder, { recursive: true })
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

/** The page is loaded. */
async function open(url: string): Promise<Chat<UIMessage>> {
  const loaded = await fetch(`${url}/api/chat/c1`)
  assert.equal(loaded.status, 200)
  const page = new Chat<UIMessage>({
    id: 'c1',
    messages: (await loaded.json()) as UIMessage[],
    transport: new DefaultChatTransport({ api: `${url}/api/chat` }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  // Nothing runs: the page is told so, and begins with what it has.
  await page.resumeStream()
  assert.equal(page.error, undefined)
  return page
}

const parts = (page: Chat<UIMessage>): readonly DynamicToolUIPart[] =>
  page.messages.flatMap((message) => message.parts.filter((part) => part.type === 'dynamic-tool'))
const states = (page: Chat<UIMessage>): readonly string[] => parts(page).map(({ state }) => state)
const textIn = (page: Chat<UIMessage>): string | undefined =>
  page.messages.at(-1)?.parts.findLast((part) => part.type === 'text')?.text
