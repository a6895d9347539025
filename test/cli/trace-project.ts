/** A trace with everything in it, as runs wrote it: times are the test's own. */
import { join } from 'node:path'
import { ChatClient, clientTool, tool, type ChatModel, type ChatResponse } from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { traceFile } from 'toolwright/trace'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'

/** What models and tools say that a page must not take for markup. */
export const HOSTILE = [
  '<script>document.title = "owned"</script>',
  '<img src=x onerror="document.title = \'owned\'">',
  '</pre></details><svg onload="document.title=\'owned\'">',
  '"><a href="javascript:document.title=\'owned\'">click</a>',
  '<!-- <style>*{display:none}</style>',
  '\u202egnp.exe \u001b[31mred\u001b[0m \u200b',
  '<iframe src="https://example.com"></iframe><link rel=stylesheet href=//example.com/x.css>',
  '![](https://example.com/pixel.png) &lt;b&gt; ${7*7} {{7*7}}',
].join('\n')

/** Each look at the time moves it on by a millisecond. */
function ticking() {
  let now = Date.UTC(2026, 0, 1)
  return {
    now: () => now,
    monotonic: () => ++now,
    timer: () => () => {},
    pass: (ms: number) => void (now += ms),
  }
}

/** A scripted model under another name. */
function named(name: string, steps: readonly ScriptedStep[]): ChatModel {
  const model = scriptedModel(steps)
  const own = (response: ChatResponse): ChatResponse => ({ ...response, model: name })
  return {
    ...model,
    model: name,
    call: async (...asked) => own(await model.call(...asked)),
    async *stream(...asked) {
      for await (const event of model.stream(...asked))
        yield event.type === 'response' ? { ...event, response: own(event.response) } : event
    },
  }
}

export interface WrittenTrace {
  readonly content?: boolean
  /** The last words of the run that is resumed. */
  readonly answer?: string
}

/** Writes `run.jsonl` into a folder: a run that waits and is resumed, and one that fails. */
export async function writeTrace(
  folder: string,
  { content = true, answer = `All done. ${HOSTILE}` }: WrittenTrace = {},
): Promise<string> {
  const path = join(folder, 'run.jsonl')
  const clock = ticking()
  const observer = traceFile(path, { content, clock, ids: countingIds() })
  const ids = countingIds()
  const lookUp = tool({ name: 'lookUp', execute: () => HOSTILE })
  const librarian = ChatClient.create(
    named('small', [
      { toolCalls: [{ name: 'lookUp' }], usage: { inputTokens: 40, outputTokens: 4 } },
      'Found it.',
    ]),
    { observer, ids, tools: [lookUp] },
  )
  const tools = [
    tool({
      name: 'weather',
      execute: () => {
        clock.pass(250)
        return { sky: 'clear', note: HOSTILE }
      },
    }),
    tool({
      name: 'boom',
      execute() {
        throw new RangeError(`out of range ${HOSTILE}`)
      },
    }),
    clientTool(librarian, { name: 'askLibrarian', description: 'Knows books' }),
    tool({ name: 'pay', approval: true, execute: () => 'paid' }),
  ]
  const model = named('large', [
    {
      text: 'Let me see.',
      toolCalls: [
        { name: 'weather' },
        { name: 'boom' },
        { name: HOSTILE.slice(0, 30), arguments: { a: HOSTILE } },
        { name: 'askLibrarian', arguments: { prompt: 'Who wrote Emma?' } },
        { name: 'pay' },
      ],
      usage: { inputTokens: 1200, outputTokens: 80 },
    },
    { text: answer, usage: { inputTokens: 1500, outputTokens: 20 } },
    { error: new TypeError('the line is dead') },
  ])
  const client = ChatClient.create(model, { observer, ids, tools, system: 'Be brief.' })
  const waiting = await client.prompt(`Plan my day. ${HOSTILE}`).stream().result()
  clock.pass(2 * 3_600_000)
  await client.resume(waiting.state!, { call_5: 'approve' }).stream().result()
  await client
    .prompt('Once more')
    .call()
    .result()
    .catch(() => {})
  observer.close()
  return path
}
