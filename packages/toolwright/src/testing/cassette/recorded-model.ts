/** A model that answers as ever, and whose exchanges are recorded. */
import { ModelResponseError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatModel, ModelRun, Prompt } from '../../model/chat-model.ts'
import type { Recording } from './recording.ts'

export function recordedModel(model: ChatModel, recording: Recording): ChatModel {
  return {
    ...factsOf(model),
    ...(model.server && { server: model.server }),
    call: async (prompt, run) => {
      if (recording.isInsideTool) return model.call(prompt, run)
      const exchange = recording.ask(prompt)
      const emit = (event: ChatEvent): void => {
        exchange.hear(event)
        run?.emit?.(event)
      }
      try {
        const response = await model.call(prompt, { ...run, emit })
        exchange.answer(response)
        return response
      } catch (thrown) {
        exchange.fail(thrown, run?.signal)
        throw thrown
      }
    },
    // Asked here, because the generator begins when its reader does.
    stream: (prompt, run) =>
      recording.isInsideTool
        ? model.stream(prompt, run)
        : recorded({ model, prompt, run }, recording),
  }
}

/** What a model says about itself. */
export function factsOf(model: ChatModel): Omit<ChatModel, 'call' | 'stream'> {
  const { provider, model: name, capabilities, options, resolver } = model
  return {
    provider,
    model: name,
    capabilities,
    options,
    ...(resolver && { resolver }),
    ...(model.capabilitiesOf && { capabilitiesOf: (other) => model.capabilitiesOf!(other) }),
  }
}

interface Asked {
  readonly model: ChatModel
  readonly prompt: Prompt
  readonly run: ModelRun | undefined
}

async function* recorded(
  { model, prompt, run }: Asked,
  recording: Recording,
): AsyncGenerator<ChatEvent> {
  const exchange = recording.ask(prompt)
  try {
    for await (const event of model.stream(prompt, run)) {
      exchange.hear(event)
      yield event
    }
    exchange.fail(noResponse(), run?.signal)
  } catch (thrown) {
    exchange.fail(thrown, run?.signal)
    throw thrown
  } finally {
    exchange.leave()
  }
}

/** As the loop says it. */
const noResponse = (): ModelResponseError =>
  new ModelResponseError('incomplete-stream', 'The model stream ended without a response.')
