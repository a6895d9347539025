/** The loop by hand on generateContent. */
import { EFFECT_SCHEMAS } from '../effect-tools.ts'
import type { Question } from '../run-scenario.ts'
import { events, type NaiveTurn, post, runTool, type Wire } from './naive-exchange.ts'

export async function naiveGemini(question: Question): Promise<string> {
  const contents: unknown[] = [{ role: 'user', parts: [{ text: 'go' }] }]
  const functionDeclarations = Object.entries(EFFECT_SCHEMAS).map(([name, schema]) => ({
    name,
    description: name,
    parametersJsonSchema: schema,
  }))
  const method = question.mode === 'stream' ? 'streamGenerateContent?alt=sse' : 'generateContent'
  while (true) {
    const body = { contents, tools: [{ functionDeclarations }] }
    const response = await post(question, `/models/naive:${method}`, body)
    const turn =
      question.mode === 'stream' ? await googleStream(response) : googleWhole(await response.json())
    if (turn.calls.length === 0) return turn.text
    contents.push(turn.message)
    const parts: unknown[] = []
    for (const call of turn.calls) {
      const output = await runTool(question.tools, call)
      parts.push({ functionResponse: { id: call.id, name: call.name, response: { output } } })
    }
    contents.push({ role: 'user', parts })
  }
}

const googleWhole = (body: Wire): NaiveTurn => googleTurn(body.candidates[0].content.parts)

async function googleStream(response: Response): Promise<NaiveTurn> {
  const parts: Wire[] = []
  for await (const event of events(response))
    for (const part of event.candidates?.[0]?.content?.parts ?? [])
      if (part.functionCall || part.text) parts.push(part)
  return googleTurn(parts)
}

function googleTurn(parts: Wire[]): NaiveTurn {
  const text = parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('')
  const calls = parts
    .filter((part) => part.functionCall)
    .map(({ functionCall }) => ({
      id: functionCall.id,
      name: functionCall.name,
      args: JSON.stringify(functionCall.args ?? {}),
    }))
  return { text, calls, message: { role: 'model', parts } }
}
