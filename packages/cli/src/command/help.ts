/** The help pages of the whole command and of each command. */
import type { Command, CommandOption } from './command.ts'
import { takesOf } from './parse-command-line.ts'

const INDENT = '  '

export interface Listed {
  readonly name: string
  readonly summary: string
}

export function mainHelp(commands: readonly Listed[], version: string): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `${INDENT}${name.padEnd(width)}  ${summary}`)
  return [
    `toolwright ${version}: tool calling for TypeScript`,
    '',
    'Usage: toolwright <command> [arguments] [options]',
    '',
    ...lines,
    '',
    'toolwright <command> --help says more. toolwright --version prints the version.',
    '',
  ].join('\n')
}

export function commandHelp(command: Command): string {
  const options: [string, CommandOption][] = [
    ...Object.entries(command.options),
    ['help', { type: 'boolean', short: 'h', help: 'This page' }],
  ]
  const { variant } = command
  const usages = [command.takes, ...(variant ? [takesOf(variant)] : [])].map((takes) =>
    ['toolwright', command.name, takes, '[options]'].filter(Boolean).join(' '),
  )
  const heads = options.map(([name, option]) => optionHead(name, option))
  const width = Math.max(...heads.map((head) => head.length))
  return [
    command.summary,
    '',
    `Usage: ${usages.join('\n       ')}`,
    '',
    ...options.map(([, { help }], index) => `${INDENT}${heads[index]!.padEnd(width)}  ${help}`),
    ...(command.notes ? ['', command.notes.trim()] : []),
    '',
  ].join('\n')
}

function optionHead(name: string, { short, type, value }: CommandOption): string {
  const head = `${short ? `-${short}, ` : '    '}--${name}`
  return type === 'string' ? `${head} <${value ?? 'text'}>` : head
}
