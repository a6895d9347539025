/**
 * Explains how to connect a model when none is named or connected and, on a terminal, offers the demo
 * model.
 */
import type { ChatModel } from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { chooseModel, waysToConnect } from '../models/choose-model.ts'
import { Keyboard } from '../terminal/keyboard.ts'
import { LineEditor } from '../terminal/line-editor.ts'
import { YES } from '../terminal/yes.ts'
import { chatScreens } from './chat-screens.ts'

/** Returns the demo model if the user agrees. */
export async function offerDemo(io: CommandIo): Promise<ChatModel> {
  const none = `No model is connected. Connect one, or name it with --model:\n${waysToConnect()}`
  const { typing } = chatScreens(io)
  if (!typing) throw new CommandError(none)
  typing.screen.block(none)
  const keyboard = new Keyboard({ stdin: io.stdin, output: typing.output })
  keyboard.open()
  const editor = new LineEditor(keyboard, typing.output)
  const typed = await editor.read({ prompt: 'Chat with the demo? y/n > ' })
  keyboard.close()
  if (typed.kind === 'line' && YES.test(typed.text.trim()))
    return (await chooseModel({ model: 'demo' }, io.env))!
  throw new CommandError('There is nobody to chat with. Connect a model, or use --model demo.')
}
