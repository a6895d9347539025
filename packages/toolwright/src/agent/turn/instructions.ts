/** The instructions that go with a composed schema: they tell the model how its answer is read. */
import type { Composed } from '../compose/compose-schema.ts'

export function instructionsFor({ schema, tools }: Composed, hasData: boolean): string {
  const has = (field: string): boolean => Object.hasOwn(schema.properties ?? {}, field)
  const isFree = [...tools.values()].some(({ execution }) => execution.kind === 'latent')
  const lines = [
    'Answer with one JSON object that fits the schema, and nothing else.',
    has('calls') &&
      '- calls: the tools to run now, each as an object with _tool and its parameters. What they give comes back to you as data. Leave it empty when nothing has to be run.',
    isFree && '- A tool that has _output is run by you: write its result there.',
    has('output') &&
      (has('calls')
        ? '- output: the final result, or null while you need what the calls give.'
        : '- output: the final result.'),
    '- meta: what identifies your answer; move its version on.',
    hasData &&
      has('calls') &&
      'Data above is named by its kind after ¶. A parameter may refer to it instead of repeating it: "†kind.path", for example "†state.user.name". A call may say with _outputPath where its result is kept.',
  ]
  return lines.filter(Boolean).join('\n')
}
