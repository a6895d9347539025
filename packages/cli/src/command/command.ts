/** The contract of a `toolwright` command: data for its help, and one function to run. */

/** An option of a command, `--name`. */
export interface CommandOption {
  /** `boolean`: a switch. `string`: takes a value. */
  readonly type: 'boolean' | 'string'
  /** One letter, for `-x`. */
  readonly short?: string
  /** Names the value in the help: `--model <provider:name>`. Only for strings. */
  readonly value?: string
  /** May be given more than once; the value is then a list. Only for strings. */
  readonly multiple?: boolean
  /** One line of help. */
  readonly help: string
}

export type CommandOptions = { readonly [name: string]: CommandOption }

/** The values of a command's options, by name. */
export type OptionValues<Options extends CommandOptions> = {
  readonly [Name in keyof Options]?: Options[Name] extends { readonly type: 'boolean' }
    ? boolean
    : Options[Name] extends { readonly multiple: true }
      ? readonly string[]
      : string
}

export interface CommandInput<Options extends CommandOptions> {
  /** The words on the command line that are not options, in order. */
  readonly arguments: readonly string[]
  readonly options: OptionValues<Options>
}

/** `toolwright call --mcp <server> <tool>` needs no file. */
export interface CommandVariant {
  /** The names of the options, the usual one first. */
  readonly options: readonly string[]
  readonly takes: string
  readonly arity: readonly [least: number, most: number]
}

export interface Command<Options extends CommandOptions = CommandOptions> {
  readonly name: string
  /** The arguments after the name, as the help shows them: `<file> <tool> <json>`. */
  readonly takes: string
  /** The fewest and the most arguments. */
  readonly arity: readonly [least: number, most: number]
  /** Other arguments where one of some options is given. */
  readonly variant?: CommandVariant
  /**
   * Orders the words before they are read, for a command whose arguments are a command line of another program: what
   * belongs to that program goes behind `--`.
   */
  arrange?(words: readonly string[]): readonly string[]
  /** One line, for the list of commands. */
  readonly summary: string
  readonly options: Options
  /** Further paragraphs of help: examples, exit codes. */
  readonly notes?: string
  /** Runs the command and returns the exit code. Throws `CommandError` for what the user can correct. */
  run(input: CommandInput<Options>, io: CommandIo): Promise<number>
}

/** The surroundings of a command. Tests run the real command in a real process instead of faking this. */
export interface CommandIo {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** The folder that relative paths start from. */
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
}

/** Defines a command; infers the types of its options. */
export const command = <const Options extends CommandOptions>(
  it: Command<Options>,
): Command<Options> => it
