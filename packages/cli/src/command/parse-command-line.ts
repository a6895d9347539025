/** Parses the words after a command's name into arguments and options. */
import { parseArgs } from 'node:util'
import type { Command, CommandInput, CommandOptions, CommandVariant } from './command.ts'
import { CommandError } from './command-error.ts'
import { didYouMean } from './did-you-mean.ts'

export function parseCommandLine<Options extends CommandOptions>(
  command: Command<Options>,
  words: readonly string[],
): CommandInput<Options> | 'help' {
  const known = { help: { type: 'boolean', short: 'h' }, ...command.options } as const
  const { values, positionals, tokens } = parseArgs({
    args: [...(command.arrange?.(words) ?? words)],
    options: known,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  if (values.help) return 'help'
  for (const token of tokens) {
    if (token.kind === 'option') checkOption(command, token)
  }
  checkArity(command, positionals, values)
  return { arguments: positionals, options: values as CommandInput<Options>['options'] }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
}

function checkOption(command: Command, { name, rawName, value }: OptionToken): void {
  const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined
  if (option === undefined) {
    const near = didYouMean(name, Object.keys(command.options), '--')
    throw new CommandError(`${command.name} has no option ${rawName}.${near} ${seeHelp(command)}`)
  }
  if (option.type === 'string' && value === undefined)
    throw new CommandError(
      `${rawName} needs a value: ${rawName} <${option.value ?? 'text'}>. ${seeHelp(command)}`,
    )
  if (option.type === 'boolean' && value !== undefined)
    throw new CommandError(`${rawName} is a switch and takes no value. ${seeHelp(command)}`)
}

/** `--mcp <url|command|name> <tool>`, for the usual option. */
export const takesOf = ({ options: [option], takes }: CommandVariant): string =>
  `--${option} <…> ${takes}`.trimEnd()

function checkArity(command: Command, given: readonly string[], values: object): void {
  const { variant } = command
  const applies = variant?.options.some((name) => Object.hasOwn(values, name))
  const form = applies ? { ...variant!, takes: takesOf(variant!) } : command
  const [least, most] = form.arity
  if (given.length >= least && given.length <= most) return
  const takes = `toolwright ${command.name} takes ${form.takes || 'no arguments'}`
  const problem = given.length < least ? 'something is missing' : `"${given[most]}" is too much`
  throw new CommandError(`${takes}; ${problem}. ${seeHelp(command)}`)
}

const seeHelp = (command: Command): string => `See toolwright ${command.name} --help.`
