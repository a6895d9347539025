/**
 * The AI SDK's own mock models, and one of the version that it no longer has a mock for, each saying the same: what
 * differs between the versions is written here a second time.
 */
import { simulateReadableStream } from 'ai-v7'
import type { LanguageModelV2, LanguageModelV2CallOptions } from '@ai-sdk/provider'
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai-v7/test'

/** As the mocks of the AI SDK are, for v2. */
class MockLanguageModelV2 implements LanguageModelV2 {
  readonly specificationVersion = 'v2'
  readonly supportedUrls = {}
  readonly provider: string
  readonly modelId: string
  readonly doGenerateCalls: LanguageModelV2CallOptions[] = []
  readonly doStreamCalls: LanguageModelV2CallOptions[] = []
  readonly doGenerate: LanguageModelV2['doGenerate']
  readonly doStream: LanguageModelV2['doStream']

  constructor({ provider, modelId, doGenerate, doStream }: MockSettings) {
    this.provider = provider
    this.modelId = modelId
    this.doGenerate = (options) => {
      this.doGenerateCalls.push(options)
      return doGenerate()
    }
    this.doStream = (options) => {
      this.doStreamCalls.push(options)
      return doStream()
    }
  }
}

interface MockSettings {
  readonly provider: string
  readonly modelId: string
  doGenerate(): Promise<never>
  doStream(): Promise<never>
}

/** One answer: the content of a whole one, and the parts of a stream between its start and its finish. */
export interface MockAnswer {
  readonly content?: readonly object[]
  readonly parts?: readonly object[]
  readonly finish?: string
  readonly raw?: string
  readonly warnings?: readonly object[]
  readonly providerMetadata?: object
  readonly response?: object
  /** Rejects with this. */
  readonly throws?: unknown
  /** A stream without its end. */
  readonly ending?: 'none'
}

export const VERSIONS = ['v2', 'v3', 'v4'] as const
export type Version = (typeof VERSIONS)[number]
export type MockModel = MockLanguageModelV2 | MockLanguageModelV3 | MockLanguageModelV4

/** A count of each kind, which every version can tell but for written cache tokens. */
const USAGE = {
  v2: {
    inputTokens: 70,
    outputTokens: 30,
    totalTokens: 100,
    reasoningTokens: 7,
    cachedInputTokens: 50,
  },
  v3: {
    inputTokens: { total: 70, noCache: 15, cacheRead: 50, cacheWrite: 5 },
    outputTokens: { total: 30, text: 23, reasoning: 7 },
  },
}

const finishOf = (version: Version, unified: string, raw?: string): unknown =>
  version === 'v2' ? unified : { unified, raw }

/** Gives each answer once, in turn. */
export function mockModel(version: Version, answers: readonly MockAnswer[]): MockModel {
  let given = 0
  const next = (): MockAnswer => {
    const answer = answers[given++] ?? { throws: new Error('The mock has no more answers.') }
    if ('throws' in answer) throw answer.throws
    return answer
  }
  const settings = {
    provider: 'mock.chat',
    modelId: 'mock-1',
    doGenerate: async () => wholeOf(version, next()) as never,
    doStream: async () => ({ stream: streamOf(version, next()) }) as never,
  }
  if (version === 'v2') return new MockLanguageModelV2(settings)
  return version === 'v3' ? new MockLanguageModelV3(settings) : new MockLanguageModelV4(settings)
}

const endOf = (
  version: Version,
  { finish = 'stop', raw = finish, providerMetadata }: MockAnswer,
) => ({
  finishReason: finishOf(version, finish, raw),
  usage: version === 'v2' ? USAGE.v2 : USAGE.v3,
  providerMetadata,
})

function wholeOf(version: Version, answer: MockAnswer): object {
  const { content = [], warnings = [], response } = answer
  return { content, warnings, response, ...endOf(version, answer) }
}

function streamOf(version: Version, answer: MockAnswer): ReadableStream<unknown> {
  const { parts = [], warnings = [], response, ending } = answer
  return simulateReadableStream<unknown>({
    initialDelayInMs: null,
    chunkDelayInMs: null,
    chunks: [
      { type: 'stream-start', warnings },
      ...(response ? [{ type: 'response-metadata', ...response }] : []),
      ...parts,
      ...(ending === 'none' ? [] : [{ type: 'finish', ...endOf(version, answer) }]),
    ],
  })
}
