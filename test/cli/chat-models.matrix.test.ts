/** Which model answers: by key, by what listens on this machine, by --model. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { faultServer } from '@toolwright/fault-server'
import { openai } from 'toolwright/openai'
import { expect, it, onTestFinished } from 'vitest'
import { chooseModel } from '../../packages/cli/src/models/choose-model.ts'
import { chatDesk } from './chat-desk.ts'

const NO_MODEL = { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined }

const TOOLS = `export const now = tool({ name: 'now', description: 'Tell the time', execute: () => '12:00' })`

/** A server with models, as vLLM, LM Studio and others are. Says which of them was asked. */
async function modelServer(models: readonly string[]): Promise<string> {
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/v1/models')
      return response.end(JSON.stringify({ data: models.map((id) => ({ id })) }))
    if (request.url !== '/v1/chat/completions') return response.writeHead(404).end('Not found')
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

it('Google answers by either of its keys, at the address of its own clients', async () => {
  const server = await faultServer({ dialect: 'google', turns: [{ text: ['I am Gemini.'] }] })
  onTestFinished(() => server.close())
  const desk = await chatDesk({ turns: [] })
  const address = server.baseUrl.replace(/\/v1beta$/, '')
  for (const key of ['GEMINI_API_KEY', 'GOOGLE_API_KEY']) {
    const env = { ...NO_MODEL, [key]: 'key', GOOGLE_GEMINI_BASE_URL: address }
    expect((await desk.run(['Who?'], { env })).stdout).toBe('I am Gemini.\n')
  }
  const env = { ...NO_MODEL, GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: address }
  await desk.run(['--model', 'google:gemini-x', 'Who?'], { env })
  expect(server.requests.at(-1)!.path).toContain('/models/gemini-x:')
})

it('the help names every provider that may be chosen without being named', async () => {
  const { stdout } = await (await chatDesk()).runHere(['--help'])
  const order = stdout.slice(stdout.indexOf('Without --model'))
  for (const key of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'])
    expect(order).toContain(key)
})

it('OpenAI itself is asked by its Responses API, another server by Chat Completions', async () => {
  const models = [{}, { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }].map((env) =>
    chooseModel({ model: 'openai:gpt-x' }, { OPENAI_API_KEY: 'key', ...env }),
  )
  const [own, other] = await Promise.all(models)
  expect(own?.capabilities).toEqual(openai('gpt-x', { apiKey: 'key' }).capabilities)
  expect(other?.capabilities.strictTools).toBeFalsy()
})

/** An Ollama with these models installed. Says which of them was asked, and remembers what it was sent. */
async function ollamaServer(models: readonly string[]) {
  const bodies: { readonly [field: string]: unknown }[] = []
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/api/tags')
      return response.end(JSON.stringify({ models: models.map((name) => ({ name, model: name })) }))
    if (request.url !== '/api/chat') return response.writeHead(404).end('404 page not found')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { model: string }
    bodies.push(body)
    const { authorization = 'no key' } = request.headers
    const message = { role: 'assistant', content: `I am ${body.model}, ${authorization}.` }
    response.setHeader('content-type', 'application/x-ndjson')
    return response.end(`${JSON.stringify({ model: body.model, message, done: true })}\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, bodies, env: { ...NO_MODEL, OLLAMA_HOST: host } }
}

it('Ollama answers over its own API when it listens and no key is set, with its first model that chats', async () => {
  const { env, bodies } = await ollamaServer(['nomic-embed-text', 'llama3.2:3b', 'qwen3:8b'])
  const desk = await chatDesk({ tools: TOOLS })
  expect((await desk.run(['Who?'], { env })).stdout).toBe('I am llama3.2:3b, no key.\n')
  expect(bodies[0]).toMatchObject({ stream: true, tools: [{ function: { name: 'now' } }] })
  const chosen = await desk.run(['--model', 'ollama:qwen3:8b', 'Who?'], { env })
  expect(chosen.stdout).toBe('I am qwen3:8b, no key.\n')
})

it('with tools, Ollama answers with its first model that has some', async () => {
  const { env } = await ollamaServer(['gemma3:4b', 'qwen3:8b'])
  const desk = await chatDesk({ tools: TOOLS })
  const { stdout, stderr } = await desk.run(['--model', 'ollama', 'Who?'], { env })
  expect(stdout).toBe('I am qwen3:8b, no key.\n')
  expect(stderr).not.toContain('in words')
  const without = await (await chatDesk()).runHere(['--model', 'ollama', 'Who?'], { env })
  expect(without.stdout).toBe('I am gemma3:4b, no key.\n')
})

it('a model without tools is told about them in words, and the user of that', async () => {
  const { env, bodies } = await ollamaServer(['gemma3:4b'])
  const desk = await chatDesk({ tools: TOOLS })
  const { stdout, stderr, exitCode } = await desk.run(['--model', 'ollama', 'Who?'], { env })
  expect([stdout, exitCode]).toEqual(['I am gemma3:4b, no key.\n', 0])
  expect(stderr).toContain('gemma3:4b has no tool calling of its own')
  expect(stderr).toContain('--model ollama:name')
  expect(bodies[0]).not.toHaveProperty('tools')
  expect(JSON.stringify(bodies[0]!['messages'])).toContain('Tell the time')
})

it('Ollama says what is installed, and how to get what is not', async () => {
  const { env, host } = await ollamaServer(['qwen3:8b', 'llama3.2:latest'])
  const desk = await chatDesk()
  const wrong = await desk.runHere(['--model', 'ollama:qwen3:9b', 'Who?'], { env })
  expect(wrong.stderr).toContain(
    `Ollama at http://${host} has no model "qwen3:9b". Did you mean qwen3:8b? It has: qwen3:8b, llama3.2:latest. Get it: ollama pull qwen3:9b.`,
  )
  expect(wrong.exitCode).toBe(2)
  // Without a tag the latest is meant.
  const latest = await desk.runHere(['--model', 'ollama:llama3.2', 'Who?'], { env })
  expect(latest.stdout).toBe('I am llama3.2:latest, no key.\n')
  const none = await ollamaServer([])
  const empty = await desk.runHere(['--model', 'ollama', 'Who?'], { env: none.env })
  expect(empty.stderr).toContain('has no model to chat with. Get one: ollama pull')
  const named = await desk.runHere(['--model', 'ollama:qwen3', 'Who?'], { env: none.env })
  expect(named.stderr).toContain('It has none. Get it: ollama pull qwen3.')
  expect([empty.exitCode, named.exitCode]).toEqual([2, 2])
})

it('an Ollama that does not run: how to start it', async () => {
  const desk = await chatDesk()
  const env = { ...NO_MODEL, OLLAMA_HOST: '127.0.0.1:9' }
  const first = await desk.runHere(['--model', 'ollama', 'Who?'], { env })
  expect(first.stderr).toContain('Ollama at http://127.0.0.1:9 does not answer. Start it')
  expect(first.exitCode).toBe(2)
  const named = await desk.runHere(['--model', 'ollama:qwen3', 'Who?'], { env })
  expect(named.stderr).toContain('ollama serve')
  expect(named.exitCode).toBe(1)
})

it('any server answers by --base-url, and gets no key that is not its own', async () => {
  const host = await modelServer(['first', 'openai:second'])
  const desk = await chatDesk()
  const at = (...words: string[]) =>
    desk.runHere(['--base-url', `http://${host}/v1/`, ...words, 'Who?'])
  expect((await at()).stdout).toBe('I am first, no key.\n')
  // The name is the server's own, whatever it looks like.
  expect((await at('--model', 'openai:second')).stdout).toBe('I am openai:second, no key.\n')
  const wrong = await at('--model', 'fist')
  expect(wrong.stderr).toContain('has no model "fist". Did you mean first?')
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
  const { stderr, exitCode } = await desk.run(['--model', `http://${host}/v1`, 'Who?'])
  expect(stderr).toContain(`Load one, or name it: --model http://${host}/v1#name.`)
  expect(exitCode).toBe(2)
})

it('a server that answers, but not with models, is said to have answered', async () => {
  const host = await modelServer(['first'])
  const desk = await chatDesk()
  const bare = await desk.runHere(['--base-url', `http://${host}/v1/deep`, 'Who?'])
  expect(bare.stderr).toContain(
    `http://${host}/v1/deep answered (404), but does not list its models. Try the address with its version, http://${host}/v1/deep/v1, or name the model`,
  )
  const other = await desk.runHere(['--base-url', `http://${host}/v2`, 'Who?'])
  expect(other.stderr).toContain('answered (404), but does not list its models. Name the model')
  const silent = await desk.runHere(['--base-url', 'http://127.0.0.1:9/v1', 'Who?'])
  expect(silent.stderr).toContain('http://127.0.0.1:9/v1 does not answer. Start the server')
  expect([bare.exitCode, other.exitCode, silent.exitCode]).toEqual([2, 2, 2])
})

it('the demo answers when it is asked for, and says what it is', async () => {
  const desk = await chatDesk()
  const { stdout, exitCode } = await desk.run(['--model', 'demo', 'Hello'], { env: NO_MODEL })
  expect(stdout).toMatch(/demo model/)
  expect(exitCode).toBe(0)
})
