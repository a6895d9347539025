/** The events of a run, typed by the tools that it offers. Types only, but for one guard. */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ToolCall } from '../messages/message.ts'
import type { FunctionToolCallback } from './tool.ts'
import type { ToolCallback, ToolCallbackProvider } from './tool-callback.ts'

/**
 * The events of a run that offers these tools: one tool, or an array, set or record of them. Calls, inputs
 * and results of tools made by `tool()` have their types; those of others stay unknown.
 */
export type ChatEventOf<Tools> = unknown extends Tools
  ? ChatEvent
  : Exclude<ChatEvent, AboutCall> | EventsOf<TypesIn<Tools>>

interface AboutCall {
  readonly toolCall: ToolCall
}

/** What is known about one tool. */
interface ToolTypes {
  readonly name: string
  readonly input: unknown
  readonly result: unknown
}

type TypesIn<Source, Key = string> =
  Source extends FunctionToolCallback<infer Input, infer Result, infer Name>
    ? {
        readonly name: string extends Name ? Key : Name
        readonly input: Input
        readonly result: Result
      }
    : Source extends ToolCallback | ToolCallbackProvider
      ? ToolTypes
      : Source extends Iterable<infer Item>
        ? TypesIn<Item>
        : Source extends { readonly [name: string]: ToolCallback }
          ? { [Name in keyof Source]: TypesIn<Source[Name], Name> }[keyof Source]
          : ToolTypes

/** One union member for each event of each tool. */
type EventsOf<Tool> = Tool extends ToolTypes
  ? | Typed<'tool-call', Tool, object>
    | Typed<'tool-execution-start', Tool, { readonly input: Tool['input'] }>
    | Typed<'tool-progress', Tool, object>
    | Typed<'tool-result', Tool, { readonly value?: Tool['result'] }>
  : never

type Typed<Type extends ChatEvent['type'], Tool extends ToolTypes, Known> = Omit<
  Extract<ChatEvent, { readonly type: Type }>,
  'toolCall' | keyof Known
> & { readonly toolCall: ToolCall & { readonly name: Tool['name'] } } & Known

/**
 * Whether an event is about a call of the tool with this name. With events that are typed by their tools,
 * input and value then have that tool's types.
 *
 * @example
 * for await (const event of run.events<typeof tools>())
 *   if (event.type === 'tool-result' && isCallOf(event, 'weather')) console.log(event.value?.degrees)
 */
export function isCallOf<Event extends { readonly type: string }, const Name extends string>(
  event: Event,
  name: Name,
): event is CallOf<Event, Name> {
  const { toolCall } = event as { readonly toolCall?: ToolCall }
  return toolCall?.name === name
}

type CallOf<Event, Name> = [Extract<Event, Named<Name>>] extends [never]
  ? Event & Named<Name>
  : Extract<Event, Named<Name>>

interface Named<Name> {
  readonly toolCall: { readonly name: Name }
}
