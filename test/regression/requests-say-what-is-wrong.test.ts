/** Mistakes in a request were ignored, or answered by an error that did not say what to write. */
import { describe, expect, it } from 'vitest'
import { ChatClient, tool, type ChatOptions, type Message } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { scenario } from '../e2e/scenario.ts'

const asked = () => {
  const model = scriptedModel(['Answer.'])
  return { model, client: ChatClient.create(model) }
}

const thrownBy = (make: () => unknown): unknown => {
  try {
    make()
  } catch (thrown) {
    return thrown
  }
  return undefined
}

describe('the user’s words are given once', () => {
  for (const [what, make, words] of [
    [
      'prompt(text).user(text)',
      () => asked().client.prompt('a').user('b'),
      /^prompt\(\) gave .*\.user\(\) gives them again.*prompt\(\)\.user/,
    ],
    [
      'prompt(text).user(parts)',
      () =>
        asked()
          .client.prompt('a')
          .user([{ type: 'text', text: 'b' }]),
      /^prompt\(\) gave/,
    ],
    [
      'user(text).user(text)',
      () => asked().client.prompt().user('a').user('b'),
      /^\.user\(\) gave/,
    ],
    ['an empty text counts', () => asked().client.prompt('').user('b'), /^prompt\(\) gave/],
  ] as const)
    // prettier-ignore
    it(`${what} is an error that says which`, () => {
      expect(thrownBy(make)).toMatchObject({
        name: 'ConfigurationError',
        code: 'invalid-message',
        message: expect.stringMatching(words),
      })
    })

  it('earlier words stand beside them', async () => {
    const { client, model } = asked()
    const earlier: Message[] = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ]
    await client.prompt(earlier).user('c').call().content()
    expect(model.prompts[0]!.messages).toEqual([...earlier, { role: 'user', content: 'c' }])
  })
})

describe('chat options are checked like all others', () => {
  const wrong: { readonly [what: string]: readonly [options: object, code: string, words: RegExp] } = {
    'a misspelt name': [{ temprature: 1 }, 'unknown-option', /"temprature".*Did you mean "temperature"/],
    'a name of the wire': [{ max_tokens: 5 }, 'unknown-option', /"max_tokens".*"maxTokens"/],
    'a text for a number': [{ temperature: 'hot' }, 'invalid-option', /temperature.*"hot".*a finite number/],
    'no number': [{ maxTokens: NaN }, 'invalid-option', /maxTokens.*NaN.*a whole number/],
    'a text for a list': [{ stopSequences: 'END' }, 'invalid-option', /stopSequences.*a list of texts/],
    'a list of something else': [{ toolNames: [1] }, 'invalid-option', /toolNames.*a list of texts/],
    'a text for true': [{ parallelToolCalls: 'yes' }, 'invalid-option', /parallelToolCalls.*true or false/],
    'a tool for a list': [{ tools: tool({ name: 'a', execute: () => 1 }) }, 'invalid-tool-source', /tools takes a list: write tools: \[/],
    'a promise as a tool': [{ tools: [Promise.resolve()] }, 'invalid-tool-source', /./],
    null: [{ seed: null }, 'invalid-option', /seed.*null/],
    'an unknown toolChoice': [{ toolChoice: 'any' }, 'invalid-option', /toolChoice.*"any".*'auto', 'none', 'required' or \{ tool/],
    'a toolChoice of the wire': [{ toolChoice: { type: 'function', function: { name: 'a' } } }, 'invalid-option', /toolChoice.*\{ tool: /],
    'a toolChoice without a name': [{ toolChoice: { tool: 5 } }, 'invalid-option', /toolChoice/],
  } // prettier-ignore

  for (const [what, [options, code, words]] of Object.entries(wrong)) {
    const given = options as ChatOptions
    const refused = { code, message: expect.stringMatching(words) }
    it(`${what}: refused by .options(), prompt() and the client`, () => {
      const { client, model } = asked()
      expect(thrownBy(() => client.prompt('Go').options(given))).toMatchObject(refused)
      const messages: Message[] = [{ role: 'user', content: 'Go' }]
      expect(thrownBy(() => client.prompt({ messages, options: given }))).toMatchObject(refused)
      expect(thrownBy(() => ChatClient.create(model, { options: given }))).toMatchObject(refused)
    })
  }

  it('tools that can be read once are read once', async () => {
    const { client, model } = asked()
    function* sources() {
      yield tool({ name: 'once', execute: () => 1 })
    }
    await client
      .prompt('Go')
      .options({ tools: [sources()] })
      .call()
      .content()
    expect(model.prompts[0]!.options!.tools).toMatchObject([{ definition: { name: 'once' } }])
  })

  it('no object at all', () => {
    const request = asked().client.prompt('Go')
    expect(thrownBy(() => request.options(5 as never))).toMatchObject({ code: 'invalid-option' })
  })

  it('every option that there is passes', async () => {
    const { client, model } = asked()
    const a = tool({ name: 'a', execute: () => 1 })
    const options: Required<Omit<ChatOptions, 'toolNames'>> = {
      model: 'm',
      temperature: 0,
      topP: 1,
      topK: 5,
      maxTokens: 10,
      stopSequences: ['END'],
      seed: 7,
      outputSchema: { type: 'object' },
      providerOptions: { p: { x: 1 } },
      tools: [a],
      toolContext: { user: 'ada' },
      toolChoice: { tool: 'a' },
      parallelToolCalls: false,
      deferredTools: [],
      internalToolExecution: true,
    }
    await client.prompt('Go').options(options).call().content()
    expect(model.prompts[0]!.options).toMatchObject({ temperature: 0, toolChoice: { tool: 'a' } })
    await expect(
      client
        .prompt('Go')
        .options({ temperature: undefined } as never)
        .call()
        .content(),
    ).rejects.toMatchObject({ code: 'script-mismatch' })
  })
})

describe('a toolChoice that names a tool', () => {
  scenario('which is not offered is an error before anything is sent', {
    script: ['Never.'],
    tools: () => [tool({ name: 'weather', execute: () => 'sunny' })],
    request: (client) => client.prompt('Go').options({ toolChoice: { tool: 'wether' } }),
    check({ error, model }) {
      expect(error).toMatchObject({
        code: 'unknown-tool-name',
        message: expect.stringMatching(/"wether", which is not offered.*"weather"/),
      })
      expect(model.remaining).toBe(1)
    },
  })

  scenario('which a hook offers is sent', {
    script: ['Sent.'],
    client: () => ({
      toolCalling: {
        beforeRound(request) {
          const tools = [tool({ name: 'added', execute: () => 1 })]
          const { prompt } = request
          return { ...request, prompt: { ...prompt, options: { ...prompt.options, tools } } }
        },
      },
    }),
    request: (client) => client.prompt('Go').options({ toolChoice: { tool: 'added' } }),
    check: ({ result }) => void expect(result.status).toBe('done'),
  })
})

describe('a message that is none says what to write', () => {
  const wrong: { readonly [what: string]: readonly [message: unknown, words: RegExp] } = {
    'a tool message with content': [{ role: 'tool', content: '42' }, /^messages\[1\] is a tool message without responses.*\{ role: 'tool', responses: \[\{ id: 'id of the call', name: 'the tool', content/],
    'one of another library': [{ role: 'tool', tool_call_id: 'call_7', content: '42' }, /responses: \[\{ id: 'call_7'/],
    'one whose responses are texts': [{ role: 'tool', responses: ['42'] }, /responses are no list of results with id and content/],
    'a role of another library': [{ role: 'developer', content: 'x' }, /"developer".*role: 'system'/],
    'an unknown role': [{ role: 'robot', content: 'x' }, /"robot".*system, user, assistant and tool/],
    'a name that every object has': [{ role: 'toString', content: 'x' }, /"toString"/],
    'no role': [{ content: 'x' }, /role nothing/],
    'a text': ['hello', /is "hello".*\{ role: 'user', content: '\.\.\.' \}/],
    null: [null, /is null/],
    'no content': [{ role: 'user' }, /role user, and nothing as its content.*a text or a list of parts/],
    'calls beside the content': [{ role: 'assistant', content: null, tool_calls: [{}] }, /type: 'tool-call'/],
    'parts in a system message': [{ role: 'system', content: [{ type: 'text', text: 'x' }] }, /no text as its content/],
    'a part of another library': [{ role: 'user', content: [{ type: 'text', text: 'x' }, { type: 'image_url' }] }, /messages\[1\]\.content\[1\].*"image_url".*text, image, audio, file/],
    'a call of the user': [{ role: 'user', content: [{ type: 'tool-call' }] }, /"tool-call".*role user/],
    'a text part without text': [{ role: 'user', content: [{ type: 'text' }] }, /content\[0\].*without text/],
  } // prettier-ignore

  for (const [what, [message, words]] of Object.entries(wrong))
    it(what, async () => {
      const { client, model } = asked()
      const messages = [{ role: 'user', content: 'First' }, message] as Message[]
      for (const request of [
        client.prompt(messages),
        client.prompt({ messages }),
        client.prompt('Go').messages(...messages),
      ])
        await expect(request.call().content()).rejects.toMatchObject({
          code: 'invalid-message',
          message: expect.stringMatching(words),
        })
      expect(model.remaining).toBe(1)
    })
})
