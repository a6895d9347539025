/** The instructions that go with a composed schema: they tell the model how its answer is read. */
import type { Composed } from '../compose/composed.ts'

export interface InstructionsOptions {
  /** Whether the context holds data that calls can refer to. */
  readonly hasData: boolean
  /** What becomes of results without `_outputPath`. */
  readonly resultsWithoutPath: 'append' | 'forget'
}

export function instructionsFor(
  { schema, tools }: Composed,
  { hasData, resultsWithoutPath }: InstructionsOptions,
): string {
  const has = (field: string): boolean => Object.hasOwn(schema.properties ?? {}, field)
  const specs = [...tools.values()]
  const writesResults = specs.some(
    ({ spec, execution }) => execution.kind === 'latent' && spec.output !== undefined,
  )
  const mayChoosePath = specs.some(({ spec }) => !Object.hasOwn(spec.constants, '_outputPath'))
  const needsPath = resultsWithoutPath === 'forget'
  const lines = [
    'Answer with one JSON object that fits the schema, and nothing else.',
    has('calls') &&
      `- calls: the tools to run now, each as an object with _tool and its parameters. ${needsPath ? 'What they give comes back to you as data only if _outputPath says where it is kept.' : 'What they give comes back to you as data.'} Leave it empty when nothing has to be run.`,
    writesResults && '- A tool that has _output is run by you: write its result there.',
    has('output') &&
      (has('calls')
        ? '- output: the final result, or null while you need what the calls give.'
        : '- output: the final result.'),
    '- meta: what identifies your answer; move its version on.',
    hasData &&
      has('calls') &&
      'Data above is named by its kind after ¶. A parameter may refer to it instead of repeating it: "†kind.path", for example "†state.user.name".',
    (hasData || needsPath) &&
      mayChoosePath &&
      'A call may say with _outputPath where its result is kept, as "†kind.path", and with _outputMethod how it joins what is there: set, merge, assign, push or concat.',
  ]
  return lines.filter(Boolean).join('\n')
}
