/**
 * A small MCP server (2025-11-25) over stdin and stdout, written by hand so that it can misbehave. Its first argument names
 * the behaviour; `CALL_LOG` is a file that gets a line for every call that ran.
 */
import { appendFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const [, , behaviour = 'good', detail = ''] = process.argv
const raw = (text) => process.stdout.write(text)
const send = (message) => raw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const ran = (what) => process.env.CALL_LOG && appendFileSync(process.env.CALL_LOG, `${what}\n`)
const text = (words) => ({ content: [{ type: 'text', text: words }] })

const object = (properties = {}) => ({ type: 'object', properties })
const echo = {
  name: 'echo',
  description: 'Says it again',
  inputSchema: object({ words: { type: 'string' } }),
  annotations: { readOnlyHint: true },
}
const write = {
  name: 'write',
  description: 'Writes it down',
  inputSchema: object({ words: { type: 'string' } }),
}

const asked = new Map()
let nextId = 1000
const ask = (params) =>
  new Promise((resolve) => {
    asked.set(++nextId, resolve)
    send({ id: nextId, method: 'elicitation/create', params })
  })

const FORM = {
  type: 'object',
  properties: { size: { type: 'integer', minimum: 1 } },
  required: ['size'],
}

const good = {
  initialize: (id, params) =>
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'raw', version: '1' },
        instructions: 'Be kind.',
      },
    }),
  list: (id) => send({ id, result: { tools: [echo, write] } }),
  call: (id, { name, arguments: input, _meta }) => {
    ran(`${name} ${JSON.stringify(input)}`)
    if (detail === 'meta') return send({ id, result: text(JSON.stringify(_meta)) })
    send({ id, result: text(`${name}: ${input.words}`) })
  },
  cancelled: () => {},
}

const tools = (...entries) => ({ ...good, list: (id) => send({ id, result: { tools: entries } }) })
const answers = (result) => ({ ...good, call: (id) => (ran('call'), send({ id, result })) })

const BEHAVIOURS = {
  good: () => good,
  mute: () => ({ ...good, initialize: () => {} }),
  'mute-call': () => ({
    ...good,
    call: () => ran('call'),
    cancelled: (id, reason) => ran(`cancelled ${id} ${reason}`),
  }),
  'dies-in-call': () => ({
    ...good,
    call: () => {
      ran('call')
      process.stderr.write('password=hunter22 out of memory\n')
      process.exit(3)
    },
  }),
  'dies-at-start': () => {
    process.stderr.write('no licence found\n')
    process.exit(1)
  },
  garbage: () => ({
    ...good,
    call: (id, params) => {
      raw('this is no JSON\n{"jsonrpc":"2.0","half":\n[1,2]\nnull\n')
      good.call(id, params)
    },
  }),
  'large-line': () => ({
    ...good,
    call: (id) => send({ id, result: text('x'.repeat(1_500_000)) }),
  }),
  'too-large-line': () => ({
    ...good,
    call: (id) => send({ result: text('x'.repeat(40_000_000)), id }),
  }),
  'endless-line': () => ({
    ...good,
    call: () => {
      const more = () => {
        while (raw('x'.repeat(1_000_000)));
        process.stdout.once('drain', more)
      }
      more()
    },
  }),
  'remote-ref': () => tools(echo, { name: 'bad', inputSchema: object({ a: { $ref: detail } }) }),
  cyclic: () =>
    tools({
      name: 'tree',
      inputSchema: {
        ...object({ root: { $ref: '#/$defs/node' } }),
        $defs: { node: object({ children: { type: 'array', items: { $ref: '#/$defs/node' } } }) },
      },
      annotations: { readOnlyHint: true },
    }),
  many: () =>
    tools(...Array.from({ length: 5_000 }, (_, index) => ({ ...echo, name: `tool_${index}` }))),
  duplicates: () => tools(echo, { ...echo, description: 'Another' }, write),
  broken: () =>
    tools(
      echo,
      { name: 'no-type', inputSchema: { properties: {} } },
      { name: 'no-schema' },
      { name: 'wrong', inputSchema: { type: 'object', properties: 7 } },
      { name: 'lost-ref', inputSchema: object({ a: { $ref: '#/$defs/none' } }) },
      {
        name: 'header',
        inputSchema: object({
          a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } },
        }),
      },
      null,
      'text',
      { name: '', inputSchema: object() },
      { name: 'dots.and more', inputSchema: object() },
      write,
    ),
  'error-object': () => ({
    ...good,
    call: (id) => send({ id, error: { code: -32602, message: 'No such thing' } }),
  }),
  'odd-error': () => ({ ...good, call: (id) => send({ id, error: 'broken' }) }),
  'wrong-shape': () => answers(JSON.parse(detail)),
  'odd-ids': () => ({
    ...good,
    call: (id, params) => {
      send({ id: 987654, result: text('not yours') })
      send({ id: String(id), result: text('as text') })
      send({ method: 'notifications/progress', params: { progressToken: 987654, progress: 1 } })
      good.call(id, params)
      good.call(id, params)
    },
  }),
  storm: () => ({
    ...good,
    list: (id) => {
      ran('list')
      good.list(id)
      for (let count = 0; count < 5_000; count++)
        send({ method: 'notifications/tools/list_changed' })
    },
  }),
  'one-change': () => {
    let count = 0
    return {
      ...good,
      list: (id) =>
        ++count === 1
          ? good.list(id)
          : send({ id, result: { tools: [echo, write, { ...echo, name: 'third' }] } }),
      call: (id, params) => {
        send({ method: 'notifications/tools/list_changed' })
        good.call(id, params)
      },
    }
  },
  'one-good-list': () => {
    let count = 0
    return {
      ...good,
      list: (id) =>
        ++count === 1 ? good.list(id) : send({ id, error: { code: -32000, message: 'Not now' } }),
    }
  },
  'endless-pages': () => {
    let page = 0
    return {
      ...good,
      list: (id) =>
        send({ id, result: { tools: [{ ...echo, name: `t${++page}` }], nextCursor: `${page}` } }),
    }
  },
  'circle-of-pages': () => ({
    ...good,
    list: (id) => send({ id, result: { tools: [echo], nextCursor: 'same' } }),
  }),
  pages: () => ({
    ...good,
    list: (id, params) =>
      send({
        id,
        result: params?.cursor ? { tools: [write] } : { tools: [echo], nextCursor: 'two' },
      }),
  }),
  'wrong-version': () => ({
    ...good,
    initialize: (id) =>
      send({
        id,
        result: {
          protocolVersion: '1999-01-01',
          capabilities: {},
          serverInfo: { name: 'old', version: '0' },
        },
      }),
  }),
  progress: () => ({
    ...good,
    call: async (id, params) => {
      for (let step = 1; step <= 6; step++) {
        send({
          method: 'notifications/progress',
          params: { progressToken: params._meta.progressToken, progress: step, total: 6 },
        })
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      good.call(id, params)
    },
  }),
  'progress-with-result': () => ({
    ...good,
    call: (id, { name, arguments: input, _meta: { progressToken } }) => {
      const steps = [1, 2, 3].map((progress) => ({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 3 },
      }))
      const messages = [...steps, { id, result: text(`${name}: ${input.words}`) }]
      raw(messages.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join(''))
    },
  }),
  environment: () => ({
    ...good,
    call: (id) => send({ id, result: text(JSON.stringify(process.env)) }),
  }),
  family: () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      stdio: 'ignore',
    })
    return { ...good, call: (id) => send({ id, result: text(`${process.pid} ${child.pid}`) }) }
  },
  stubborn: () => {
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1000)
    return { ...good, call: (id) => send({ id, result: text(`${process.pid}`) }), end: () => {} }
  },
  asks: () => ({
    ...good,
    call: async (id, params) => {
      ran('call')
      const answer = await ask({ message: 'Which size?', requestedSchema: FORM })
      ran(`answer ${JSON.stringify(answer)}`)
      send({ id, result: text(`${params.name}: ${JSON.stringify(answer)}`) })
    },
    cancelled: () => ran('cancelled'),
  }),
  'asks-twice': () => ({
    ...good,
    call: async (id) => {
      ran('call')
      const first = await ask({ message: 'Which size?', requestedSchema: FORM })
      const second = await ask({
        mode: 'url',
        message: 'Pay',
        url: 'https://pay.example/7',
        elicitationId: 'e7',
      })
      send({ id, result: text(JSON.stringify([first, second])) })
    },
  }),
  'asks-on-write': () => ({
    ...good,
    call: async (id, params) => {
      if (params.name === 'echo') return setTimeout(() => good.call(id, params), 100)
      const answer = await ask({ message: 'Which size?', requestedSchema: FORM })
      send({ id, result: text(JSON.stringify(answer)) })
    },
  }),
  'asks-badly': () => ({
    ...good,
    call: async (id) => {
      const answer = await ask({
        mode: 'url',
        message: 'Look',
        url: 'javascript:alert(1)',
        elicitationId: 'x',
      })
      send({ id, result: text(JSON.stringify(answer)) })
    },
  }),
  'wants-visit': () => {
    let count = 0
    return {
      ...good,
      call: (id, params) =>
        ++count === 1
          ? send({
              id,
              error: {
                code: -32042,
                message: 'Sign in',
                data: {
                  elicitations: [
                    {
                      mode: 'url',
                      message: 'Sign in',
                      url: 'https://in.example/',
                      elicitationId: 'a',
                    },
                  ],
                },
              },
            })
          : good.call(id, params),
    }
  },
  'asks-for-models': () => ({
    ...good,
    call: (id) => {
      const replies = []
      const both = (reply) =>
        replies.push(reply) === 2 && send({ id, result: text(JSON.stringify(replies)) })
      asked.set(++nextId, both)
      send({
        id: nextId,
        method: 'sampling/createMessage',
        params: {
          maxTokens: 50,
          messages: [{ role: 'user', content: { type: 'text', text: 'Say hi' } }],
        },
      })
      asked.set(++nextId, both)
      send({ id: nextId, method: 'roots/list' })
    },
  }),
  'request-storm': () => ({
    ...good,
    call: (id, params) => {
      for (let count = 0; count < 1_000; count++)
        send({ id: `r${count}`, method: 'sampling/createMessage', params: {} })
      good.call(id, params)
    },
  }),
  hidden: () =>
    tools(
      {
        ...echo,
        description: 'Says\u200b it \u{e0049}\u{e0047}again',
        inputSchema: object({ words: { type: 'string', description: 'The \u202ewords' } }),
      },
      { name: 'sly', inputSchema: object({ ['na\u200bme']: { type: 'string' } }) },
      { name: 'sly-enum', inputSchema: object({ a: { enum: ['x\u200b'] } }) },
    ),
  dialect: () =>
    tools({
      ...echo,
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        ...echo.inputSchema,
        additionalProperties: false,
      },
    }),
  versioned: () => tools({ ...echo, description: detail }, write),
  structured: () => ({
    ...tools({ ...echo, outputSchema: object({ sum: { type: 'integer' } }) }),
    call: (id) => send({ id, result: JSON.parse(detail) }),
  }),
}

const server = BEHAVIOURS[behaviour]()
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params, result, error } = JSON.parse(line)
    if (method === 'initialize') server.initialize(id, params)
    else if (method === 'tools/list') server.list(id, params)
    else if (method === 'tools/call') server.call(id, params)
    else if (method === 'notifications/cancelled') server.cancelled(params.requestId, params.reason)
    else if (method === undefined) asked.get(id)?.(result ?? { error: error.code })
  })
  .on('close', () => (server.end ? server.end() : process.exit(0)))
