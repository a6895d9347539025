/** The hand-written loop on the Responses format, by the global fetch. */
import { BASE_URL } from './post.ts'
import { serveRawLoop, type RawRound } from './raw-loop.ts'
import { readSse } from './read-sse.ts'
import { INPUT_SCHEMA, QUESTION, TOOL_DESCRIPTION } from './weather.ts'

interface Item {
  readonly type?: string
  readonly call_id?: string
  readonly name?: string
  readonly arguments?: string
  readonly output?: string
  readonly role?: string
  readonly content?: string | readonly { readonly text?: string }[]
}
interface Event {
  readonly type: string
  readonly delta?: string
  readonly item?: Item
}

serveRawLoop<Item>({
  headers: { authorization: 'Bearer bench' },
  url: () => `${BASE_URL}/responses`,
  tool: (name) => ({
    type: 'function',
    name,
    description: TOOL_DESCRIPTION,
    parameters: INPUT_SCHEMA,
    strict: false,
  }),
  question: { role: 'user', content: QUESTION },
  body: (input, { model, stream, tools }) =>
    `{"model":"${model}","store":false,"input":${JSON.stringify(input)},"tools":${tools},"stream":${stream}}`,
  whole: (answer) => roundOf((answer as { output: Item[] }).output),
  async streamed(chunks) {
    const items: Item[] = []
    let text = ''
    await readSse(chunks, (data) => {
      const event = JSON.parse(data) as Event
      if (event.type === 'response.output_text.delta') text += event.delta
      else if (event.type === 'response.output_item.done') items.push(event.item!)
    })
    return { ...roundOf(items), text }
  },
  results: (calls, outputs) =>
    calls.map(({ id }, index) => ({
      type: 'function_call_output',
      call_id: id,
      output: JSON.stringify(outputs[index]),
    })),
})

function roundOf(items: readonly Item[]): RawRound<Item> {
  const calls = items.filter(({ type }) => type === 'function_call')
  const texts = items.flatMap(({ content }) => (typeof content === 'object' ? content : []))
  return {
    items,
    calls: calls.map(({ call_id: id, name, arguments: args }) => ({
      id: id!,
      name: name!,
      input: JSON.parse(args!),
    })),
    text: texts.map((part) => part.text ?? '').join(''),
  }
}
