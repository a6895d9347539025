/** How a model behaves besides answering: errors, aborts, readers that leave, what it must not touch. */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { ToolwrightError } from '../../errors/errors.ts'
import { textOf } from '../../messages/reading.ts'
import type { Prompt } from '../../model/chat-model.ts'
import { resolved } from '../settling.ts'
import {
  asked,
  MODES,
  PROMPT,
  weather,
  type ModelCase,
  type Mode,
  type ModelTrial,
} from './model-trial.ts'

const ANSWER = { text: ['Sunny', ' all', ' day.'] }
const SILENCE = { text: ['Sun'], ending: 'stall' } as const
const REFUSAL = { status: 400, message: 'The request is refused.' }

/** Long enough for a request to be under way; nothing is asserted about it. */
const UNDER_WAY_MS = 100

export const CONDUCT_CASES: readonly ModelCase[] = [
  ...MODES.flatMap((mode): readonly ModelCase[] => [
    {
      name: `${mode}: a refusal rejects with an error of the catalogue`,
      turns: [REFUSAL],
      async check(trial) {
        const kinds: string[] = []
        const seen = (event: { readonly type: string }): void => void kinds.push(event.type)
        const work = asked(mode, await trial.model(), { seen })
        const error = await trial.rejection(mode, work)
        assert.ok(ToolwrightError.is(error), `It rejects with ${inspect(error)}.`)
        assert.ok(!kinds.includes('response'), 'There is a response event although it failed.')
      },
    },
    {
      name: `${mode}: a signal aborted before rejects with its reason`,
      turns: [ANSWER],
      check: (trial) => abortedBefore(trial, mode),
    },
    {
      name: `${mode}: an abort on the way rejects with its reason`,
      turns: [SILENCE],
      check: (trial) => abortedOnTheWay(trial, mode),
    },
    {
      name: `${mode}: no listener stays on the signal`,
      turns: [ANSWER],
      async check(trial) {
        const { signal } = new AbortController()
        await trial[mode](await trial.model(), PROMPT, { signal })
        const left = getEventListeners(signal, 'abort').length
        assert.equal(left, 0, `${left} listeners are left on the signal.`)
      },
    },
    {
      name: `${mode}: the prompt, its options and the model's own stay as they are`,
      turns: [ANSWER],
      defaults: { temperature: 0.5, stopSequences: ['END'], toolContext: { tenant: 'own' } },
      check: (trial) => untouched(trial, mode),
    },
  ]),
  {
    name: 'a reader that leaves a stream early is let go, and the model can be asked again',
    turns: [ANSWER, ANSWER],
    async check(trial) {
      const model = await trial.model()
      const leave = async (): Promise<void> => {
        for await (const _event of model.stream(PROMPT)) break
      }
      await resolved({ work: leave(), what: 'Leaving the stream', patienceMs: trial.patienceMs })
      assert.equal(textOf(await trial.call(model)), ANSWER.text.join(''))
    },
  },
]

/** For models that are given keys. */
export const secretCases = (secrets: readonly string[]): readonly ModelCase[] =>
  MODES.map((mode) => ({
    name: `${mode}: an error shows no key, even if the provider repeats it`,
    turns: [{ status: 401, message: `Incorrect key provided: ${secrets.join(', ')}.` }],
    async check(trial) {
      const error = await trial.rejection(mode, asked(mode, await trial.model()))
      const shown = inspect(error, { depth: Infinity }) + String((error as Error)?.stack)
      const leaked = secrets.some((secret) => shown.includes(secret))
      assert.ok(!leaked, 'The error shows a key.')
    },
  }))

async function abortedBefore(trial: ModelTrial, mode: Mode): Promise<void> {
  const reason = new Error('The caller changed its mind.')
  const signal = AbortSignal.abort(reason)
  const work = asked(mode, await trial.model(), { run: { signal } })
  assert.equal(await trial.rejection(mode, work), reason, 'It rejects with something else.')
  if (trial.seesRequests) assert.equal(trial.sent().length, 0, 'It sent the request all the same.')
}

async function abortedOnTheWay(trial: ModelTrial, mode: Mode): Promise<void> {
  const reason = new Error('The caller changed its mind.')
  const controller = new AbortController()
  let seen = (): void => {}
  const first = new Promise<void>((resolve) => (seen = resolve))
  const work = asked(mode, await trial.model(), { run: { signal: controller.signal }, seen })
  const ended = trial.rejection(mode, work)
  // Whoever ends by itself is found by `ended`.
  await Promise.race([first, pause(UNDER_WAY_MS), ended.catch(() => {})])
  controller.abort(reason)
  assert.equal(await ended, reason, 'It rejects with something else than the reason.')
}

async function untouched(trial: ModelTrial, mode: Mode): Promise<void> {
  const model = await trial.model()
  const prompt: Prompt = {
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: [{ type: 'text', text: 'How is the weather?' }] },
    ],
    options: { tools: [weather], toolContext: { tenant: 'acme' }, maxTokens: 100 },
  }
  const before = snapshot([prompt, model.options])
  await trial[mode](model, prompt)
  const after = snapshot([prompt, model.options])
  assert.equal(after, before, 'The model changed what it was given.')
}

const snapshot = (x: unknown): string => inspect(x, { depth: Infinity })
