/** The mock model's answers in the format of Gemini's generateContent: whole, and as a list of SSE events. */
import type { MockModel } from './mock-model.ts'
import { mockArguments, mockCalls, TEXT_CHUNK } from './mock-model.ts'

interface GeminiRequest {
  readonly contents: readonly {
    readonly parts: readonly { readonly functionCall?: unknown }[]
  }[]
}

const USAGE = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 }

/** How many tool rounds the conversation already holds. */
export function geminiRound({ contents }: GeminiRequest): number {
  return contents.filter(({ parts }) => parts.some((part) => part.functionCall !== undefined))
    .length
}

export function geminiAnswer(model: MockModel, round: number): string {
  const calls = callParts(model, round)
  const parts = calls.length > 0 ? calls : [{ text: TEXT_CHUNK.repeat(model.textChunks) }]
  return JSON.stringify(answer(model, parts, 'STOP'))
}

/** The API sends the arguments of a call in one piece, also in a stream. */
export function geminiEvents(model: MockModel, round: number): string[] {
  const calls = callParts(model, round)
  const texts = Array.from({ length: model.textChunks }, () => ({ text: TEXT_CHUNK }))
  const parts = calls.length > 0 ? calls : texts
  return parts.map((part, index) => {
    const isLast = index === parts.length - 1
    return `data: ${JSON.stringify(answer(model, [part], isLast ? 'STOP' : undefined))}\n\n`
  })
}

function callParts(model: MockModel, round: number): object[] {
  return mockCalls(model, round).map(({ name }) => ({
    functionCall: { name, args: mockArguments(model) },
  }))
}

function answer(model: MockModel, parts: readonly object[], finishReason?: string): object {
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, finishReason }],
    usageMetadata: USAGE,
    modelVersion: model.name,
    responseId: 'response',
  }
}
