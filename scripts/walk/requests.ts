/**
 * What is walked: a streamed request with one tool call, a suspended run that goes on, and a search for
 * tools. Model and tools are written here, outside of the library, so nothing of them is counted.
 */
import {
  ChatClient,
  tool,
  type ChatEvent,
  type ChatModel,
  type ChatResponse,
  type ToolCall,
} from 'toolwright'
import { keywordToolIndex, toolSearchAdvisor } from 'toolwright/tool-search'
import { point, traceOf, type Step } from './trace.ts'

const input = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
} as const

const weather = tool({
  name: 'weather',
  description: 'Tells the weather in a city',
  input,
  execute: ({ city }) => `sunny in ${city}`,
})

const book = tool({
  name: 'book',
  description: 'Books a room in a city',
  input,
  approval: true,
  execute: ({ city }) => `booked in ${city}`,
})

export async function walkRequest(): Promise<readonly Step[]> {
  const client = ChatClient.create(modelSaying(call('weather', { city: 'Oslo' }), 'Sunny.'))
  return read(client.prompt('What is the weather in Oslo?').tools(weather).stream())
}

export async function walkResume(): Promise<readonly Step[]> {
  const client = ChatClient.create(modelSaying(call('book', { city: 'Oslo' }), 'Booked.'), {
    tools: [book],
  })
  const { state, pending } = await client.prompt('Book a room in Oslo').stream().result()
  return read(client.resume(state!, { [pending![0]!.callId]: 'approve' }).stream())
}

export async function walkSearch(): Promise<readonly Step[]> {
  const client = ChatClient.create(
    modelSaying(call('toolSearchTool', { queries: ['weather'] }), 'There is a tool for that.'),
    { tools: [weather, book], advisors: [toolSearchAdvisor({ index: keywordToolIndex() })] },
  )
  return read(client.prompt('Can you tell the weather?').conversation('walk').stream())
}

const read = (run: AsyncIterable<ChatEvent>): Promise<readonly Step[]> =>
  traceOf(async () => {
    point('first read')
    for await (const event of run) {
      point(event.type)
      if (event.type === 'tool-result' && event.response.isError)
        throw new Error(`The walk took a wrong turn: ${String(event.response.content)}`)
    }
  })

type Answer = string | ToolCall

const call = (name: string, args: object): ToolCall => ({
  type: 'tool-call',
  id: `call_${name}`,
  name,
  arguments: JSON.stringify(args),
})

/** The smallest model there is: it gives its answers in turn. */
function modelSaying(...answers: readonly Answer[]): ChatModel {
  const rest = answers.map(responseOf)
  return {
    provider: 'walk',
    model: 'walk',
    capabilities: {},
    options: {},
    call: () => Promise.reject(new Error('Every request of the walk is streamed.')),
    async *stream() {
      point('model asked')
      const response = rest.shift()!
      point('model answered')
      yield { type: 'response', response }
    },
  }
}

function responseOf(answer: Answer): ChatResponse {
  const isText = typeof answer === 'string'
  return {
    results: [
      {
        message: { role: 'assistant', content: isText ? answer : [answer] },
        finishReason: isText ? 'stop' : 'tool-calls',
        metadata: {},
      },
    ],
    usage: {},
    model: 'walk',
    metadata: {},
  }
}
