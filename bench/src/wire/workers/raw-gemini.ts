/** The hand-written loop on the format of generateContent, by the global fetch. */
import { BASE_URL } from './post.ts'
import { serveRawLoop, type RawRound } from './raw-loop.ts'
import { readSse } from './read-sse.ts'
import { INPUT_SCHEMA, QUESTION, TOOL_DESCRIPTION, type WeatherInput } from './weather.ts'

interface Part {
  readonly text?: string
  readonly functionCall?: { readonly name: string; readonly args: WeatherInput }
  readonly functionResponse?: { readonly name: string; readonly response: object }
}
interface Content {
  readonly role: string
  readonly parts: readonly Part[]
}
interface WireAnswer {
  readonly candidates: readonly { readonly content: Content }[]
}

serveRawLoop<Content>({
  headers: { 'x-goog-api-key': 'bench' },
  url: (model, stream) =>
    `${BASE_URL}/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  tool: (name) => ({ name, description: TOOL_DESCRIPTION, parametersJsonSchema: INPUT_SCHEMA }),
  question: { role: 'user', parts: [{ text: QUESTION }] },
  body: (contents, { tools }) =>
    `{"contents":${JSON.stringify(contents)},"tools":[{"functionDeclarations":${tools}}]}`,
  whole: (answer) => roundOf((answer as WireAnswer).candidates[0]!.content.parts),
  async streamed(chunks) {
    const parts: Part[] = []
    let text = ''
    await readSse(chunks, (data) => {
      for (const part of (JSON.parse(data) as WireAnswer).candidates[0]!.content.parts)
        if (part.text === undefined) parts.push(part)
        else text += part.text
    })
    return { ...roundOf(parts), text }
  },
  results: (calls, outputs) => [
    {
      role: 'user',
      parts: calls.map(({ name }, index) => ({
        functionResponse: { name, response: outputs[index]! },
      })),
    },
  ],
})

function roundOf(parts: readonly Part[]): RawRound<Content> {
  return {
    items: [{ role: 'model', parts }],
    calls: parts.flatMap(({ functionCall: call }) =>
      call ? [{ id: '', name: call.name, input: call.args }] : [],
    ),
    text: parts.map((part) => part.text ?? '').join(''),
  }
}
