/** Programs and cassettes: what a program calls is recorded, and a program that waits is not. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { codeMode } from '@toolwright/code-mode'
import { ChatClient, tool, type ToolCallback, type ToolMessage, type ToolSource } from 'toolwright'
import { cassette, countingIds, scriptedModel, type Cassette } from 'toolwright/testing'

const MODES = ['call', 'stream'] as const
const PAYS = 'return [await tools.look({}), await tools.pay({})]'
const LOOKS = 'return await tools.look({})'

const toolsFor = (log: unknown[]) => [
  tool({ name: 'look', execute: () => (log.push('looked'), 'seen') }),
  tool({ name: 'pay', approval: true, execute: () => (log.push('paid'), 'paid') }),
]

const asks = (code: string) => () =>
  scriptedModel([{ toolCalls: [{ name: 'runProgram', arguments: { code } }] }, 'Done.'])

function place(): { readonly file: string; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'program-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return { file: join(folder, 'program.cassette.json'), folder }
}

interface Having {
  readonly model: Cassette['model']
  readonly tools: readonly ToolSource[]
  readonly mode: (typeof MODES)[number]
}

/** Has the conversation, and approves what waits. */
async function had({ model, tools, mode }: Having) {
  const client = ChatClient.create(model, {
    tools,
    ids: countingIds(),
    stateSecret: 'a secret of sixteen',
  })
  const first = await client.prompt('Go')[mode]().result()
  const { status, pending = [], state } = first
  const decisions = Object.fromEntries(pending.map(({ callId }) => [callId, 'approve' as const]))
  const last = state ? await client.resume(state, decisions)[mode]().result() : first
  return { status, pending, ended: last.status, messages: last.messages }
}

for (const mode of MODES)
  describe(mode, () => {
    it('a program over the tools of a cassette replays, also one that waits', async () => {
      const { file } = place()
      const log: unknown[] = []
      const played = async (how: Cassette['mode']) => {
        const tape = cassette(file, { model: asks(PAYS), tools: toolsFor(log), mode: how })
        const tools = [codeMode({ tools: tape.tools })]
        const seen = await had({ model: tape.model, tools, mode })
        await tape.finish()
        return seen
      }
      const recorded = await played('record')
      expect(recorded).toMatchObject({
        status: 'suspended',
        pending: [{ callId: 'call_1/1', parentCallId: 'call_1', toolName: 'pay', line: 1 }],
        ended: 'done',
      })
      expect(log).toEqual(['looked', 'paid'])
      expect(await played('replay')).toEqual(recorded)
      expect(log).toEqual(['looked', 'paid'])
    })

    it('a replay gives programs what the recording gave them, whatever tools return', async () => {
      const { file } = place()
      const code =
        "return Promise.all('value list words nothing custom plain'.split(' ').map((name) => tools[name]({})))"
      const given = [
        tool({ name: 'custom', execute: () => 5, resultConverter: () => '{"id":"written"}' }),
        tool({ name: 'list', execute: () => [1, 2] }),
        tool({ name: 'nothing', execute: () => undefined }),
        {
          definition: { name: 'plain', description: 'Plain', inputSchema: { type: 'object' } },
          metadata: { returnDirect: false, hints: {}, effect: 'once' },
          call: async () => '{"id":"of a callback"}',
        } satisfies ToolCallback,
        tool({ name: 'value', execute: () => ({ id: 'o1' }) }),
        tool({ name: 'words', execute: () => '{"id":"a text"}' }),
      ]
      const played = async (how: Cassette['mode'], own?: readonly ToolCallback[]) => {
        const tape = cassette(file, { model: asks(code), tools: own, mode: how })
        const seen = await had({ ...tape, tools: [codeMode({ tools: tape.tools })], mode })
        await tape.finish()
        return (seen.messages.at(-2) as ToolMessage).responses[0]!.content
      }
      const recorded = await played('record', given)
      expect(JSON.parse(recorded as string)).toEqual({
        result: [
          { id: 'o1' },
          [1, 2],
          '{"id":"a text"}',
          null,
          '{"id":"written"}',
          '{"id":"of a callback"}',
        ],
      })
      expect(await played('replay', given)).toBe(recorded)
      expect(await played('replay')).toBe(recorded)
    })

    it('a program that waits goes on as without a cassette, which then is not written', async () => {
      const { file, folder } = place()
      const log: unknown[] = []
      const plain = await had({
        model: asks(PAYS)(),
        tools: [codeMode({ tools: toolsFor(log) })],
        mode,
      })
      const tools = codeMode({ tools: toolsFor(log) })
      const tape = cassette(file, { model: asks(PAYS), tools, mode: 'record' })
      expect(await had({ model: tape.model, tools: tape.tools, mode })).toEqual(plain)
      expect(log).toEqual(['looked', 'paid', 'looked', 'paid'])
      await expect(tape.finish()).rejects.toMatchObject({ code: 'cassette-inner-calls' })
      expect(readdirSync(folder)).toEqual([])
    })

    it('a program that does not wait is recorded as one result', async () => {
      const { file } = place()
      const log: unknown[] = []
      const played = async (how: Cassette['mode']) => {
        const tools = codeMode({ tools: toolsFor(log) })
        const tape = cassette(file, { model: asks(LOOKS), tools, mode: how })
        const seen = await had({ model: tape.model, tools: tape.tools, mode })
        await tape.finish()
        return seen
      }
      const recorded = await played('record')
      expect(await played('replay')).toEqual(recorded)
      expect(log).toEqual(['looked'])
    })
  })
