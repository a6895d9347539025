/** Which model answers: by key, by what listens on this machine, by --model. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { faultServer } from '@toolwright/fault-server'
import { expect, it, onTestFinished } from 'vitest'
import { chatDesk } from './chat-desk.ts'

const NO_MODEL = { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined }

/** A server with models, as Ollama, vLLM and others are. Says which of them was asked. */
async function modelServer(models: readonly string[]): Promise<string> {
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/v1/models')
      return response.end(JSON.stringify({ data: models.map((id) => ({ id })) }))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { model } = JSON.parse(Buffer.concat(chunks).toString()) as { model: string }
    const { authorization = 'no key' } = request.headers
    const message = { role: 'assistant', content: `I am ${model}, ${authorization}.` }
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('Anthropic answers when only its key is set, OpenAI when both are', async () => {
  const turns = [{ text: ['I am Claude.'] }]
  const server = await faultServer({ dialect: 'anthropic', turns })
  onTestFinished(() => server.close())
  const desk = await chatDesk({ turns: [{ text: ['I am GPT.'] }] })
  const claude = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.baseUrl }
  const bare = { ...claude, ANTHROPIC_BASE_URL: server.baseUrl.replace('/v1', '') }
  expect((await desk.run(['Who?'], { env: claude })).stdout).toBe('I am GPT.\n')
  expect((await desk.run(['Who?'], { env: { ...NO_MODEL, ...claude } })).stdout).toBe(
    'I am Claude.\n',
  )
  const chosen = await desk.run(['--model', 'anthropic:claude-x', 'Who?'], { env: bare })
  expect(chosen.stdout).toBe('I am Claude.\n')
  expect(server.requests.at(-1)!.body).toMatchObject({ model: 'claude-x' })
})

it('Ollama answers when it listens and no key is set, with its first model that chats', async () => {
  const host = await modelServer(['nomic-embed-text', 'llama3.2:3b', 'qwen3:8b'])
  const desk = await chatDesk()
  const env = { ...NO_MODEL, OLLAMA_HOST: host }
  expect((await desk.run(['Who?'], { env })).stdout).toBe('I am llama3.2:3b, no key.\n')
  const chosen = await desk.run(['--model', 'ollama:qwen3:8b', 'Who?'], { env })
  expect(chosen.stdout).toBe('I am qwen3:8b, no key.\n')
  const wrong = await desk.run(['--model', 'ollama:qwen3:9b', 'Who?'], { env })
  expect(wrong.stderr).toContain('has no model "qwen3:9b". Did you mean qwen3:8b?')
  expect(wrong.exitCode).toBe(2)
})

it('any server answers by its address, and gets no key that is not its own', async () => {
  const host = await modelServer(['first', 'second'])
  const desk = await chatDesk()
  const at = (address: string) => desk.run(['--model', address, 'Who?'])
  expect((await at(`http://${host}/v1`)).stdout).toBe('I am first, no key.\n')
  expect((await at(`http://${host}/v1/#second`)).stdout).toBe('I am second, no key.\n')
  const wrong = await at(`http://${host}/v1#secnd`)
  expect(wrong.stderr).toContain(
    'has no model "secnd". Did you mean second? It has: first, second.',
  )
  expect(wrong.exitCode).toBe(2)
})

it('a server without models says what to do', async () => {
  const host = await modelServer([])
  const desk = await chatDesk()
  const { stderr, exitCode } = await desk.run(['--model', 'ollama', 'Who?'], {
    env: { OLLAMA_HOST: host },
  })
  expect(stderr).toContain('has no model to chat with. Get one with ollama pull.')
  expect(exitCode).toBe(2)
})

it('the demo answers when it is asked for, and says what it is', async () => {
  const desk = await chatDesk()
  const { stdout, exitCode } = await desk.run(['--model', 'demo', 'Hello'], { env: NO_MODEL })
  expect(stdout).toMatch(/demo model/)
  expect(exitCode).toBe(0)
})
