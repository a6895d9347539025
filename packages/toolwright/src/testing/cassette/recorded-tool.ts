/** A tool that runs as ever, and whose runs are recorded. */
import { ToolTimeoutError } from '../../errors/errors.ts'
import { follow } from '../../internal/on-abort.ts'
import type { Json } from '../../messages/json.ts'
import {
  DefaultToolContext,
  runContextOf,
  type InsideSignal,
} from '../../tools/default-tool-context.ts'
import { asOutput } from '../../tools/result-converter.ts'
import { settle } from '../../tools/settle.ts'
import { toOutput } from '../../tools/to-output.ts'
import { callDirectly, type FunctionToolCallback } from '../../tools/tool.ts'
import { bodyOf, TOOL_BODY, type ToolBody } from '../../tools/tool-body.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolContext } from '../../tools/tool-context.ts'
import { DEFAULT_METADATA, type ToolMetadata } from '../../tools/tool-metadata.ts'
import { toolRunOf } from '../../tools/tool-run.ts'
import { heardContext } from './heard-context.ts'
import type { OpenToolExchange, Recording } from './recording.ts'
import { Unconverted } from './unconverted.ts'

export function recordedTool(tool: ToolCallback, recording: Recording): ToolCallback {
  const { definition } = tool
  const metadata = recordedMetadata(tool, recording)
  const body = bodyOf(tool)
  if (!body) return { definition, metadata, call: recordedCall(tool, recording) }
  const callback: FunctionToolCallback = {
    ...tool,
    definition,
    metadata,
    call: (text, context) => callDirectly(callback, text, context),
    [TOOL_BODY]: recordedBody(tool, body, recording),
  }
  return callback
}

function recordedBody(tool: ToolCallback, body: ToolBody, recording: Recording): ToolBody {
  const { name } = tool.definition
  const unconverted = new Unconverted<OpenToolExchange>()
  const { checkOutput: _checked, ...rest } = body
  return {
    ...rest,
    async run(input, context) {
      if (recording.isInsideTool) return settle(body.run(input, context), context)
      const exchange = recording.run(name, input, toolRunOf(context).answers)
      const work = (heard: ToolContext): unknown => settle(body.run(input, heard), heard)
      const value = await followed(exchange, context, (heard) =>
        recording.insideTool(() => work(heard)),
      )
      // A result that comes too late is converted by nobody, and would stand for an equal one of a later call.
      if (!exchange.isEnded) unconverted.add(value, exchange)
      return value
    },
    // The declared output is checked here too, because a result that does not fit is a failure of the run.
    async convert(result) {
      const exchange = unconverted.take(result)
      try {
        const { output } = await toOutput(tool, result)
        exchange?.give(output, result)
        return output
      } catch (thrown) {
        exchange?.fail(thrown)
        throw thrown
      }
    },
    renamed: (other) => recordedTool(body.renamed(other), recording),
  }
}

const recordedCall =
  (tool: ToolCallback, recording: Recording): ToolCallback['call'] =>
  async (text, context) => {
    const { name } = tool.definition
    if (recording.isInsideTool) return tool.call(text, context)
    const given = context ?? new DefaultToolContext({ toolName: name })
    const exchange = recording.run(name, parsed(text), toolRunOf(given).answers)
    const output = await followed(exchange, given, (heard) =>
      recording.insideTool(() => tool.call(text, context && heard)),
    )
    exchange.give(asOutput(output), output)
    return output as string
  }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Runs the work, and records how it ends unless it ends well: also by a question, out of time, or never. */
async function followed(
  exchange: OpenToolExchange,
  context: ToolContext,
  work: (heard: ToolContext) => unknown,
): Promise<unknown> {
  const heard = heardContext(context, (progress) => exchange.progress(progress))
  const stop = follow(context.signal, (reason) =>
    reason instanceof ToolTimeoutError ? exchange.fail(reason) : exchange.abort(),
  )
  try {
    const value = await work(heard)
    leaveIfAsked(exchange, context, heard)
    return value
  } catch (thrown) {
    leaveIfAsked(exchange, context, heard)
    exchange.fail(thrown)
    throw thrown
  } finally {
    stop()
  }
}

/** A tool that asked leaves, also if it caught what `suspend` throws. */
function leaveIfAsked(exchange: OpenToolExchange, context: ToolContext, heard: ToolContext): void {
  const { suspended } = heard as Partial<DefaultToolContext>
  if (!suspended) return
  if ('journal' in suspended) {
    exchange.waitForCalls()
    runContextOf(context)!.leaveInside((suspended as InsideSignal).journal)
  }
  const { question, kept } = suspended
  exchange.ask(question)
  toolRunOf(context).ask(question, kept)
}

/** Its own functions may ask others, so what they say is recorded too. */
function recordedMetadata(tool: ToolCallback, recording: Recording): ToolMetadata {
  const { name } = tool.definition
  // Whether a result is still kept depends on the time, which a replay does not have.
  const { cache: _cache, ...metadata } = tool.metadata ?? DEFAULT_METADATA
  const { approval, preview } = metadata
  return {
    ...metadata,
    ...(typeof approval === 'function' && {
      approval: (input: never, context: ToolContext) =>
        heard(recording.asked('approval', name, input), async () => approval(input, context)),
    }),
    ...(preview && {
      preview: (input: never, context: ToolContext): Promise<Json> =>
        heard(recording.asked('preview', name, input), async () => preview(input, context)),
    }),
  }
}

async function heard<Said>(
  tell: ReturnType<Recording['asked']>,
  work: () => Promise<Said>,
): Promise<Said> {
  try {
    const gives = await work()
    tell({ gives })
    return gives
  } catch (thrown) {
    tell({ thrown })
    throw thrown
  }
}
