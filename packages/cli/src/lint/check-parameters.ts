/** Every parameter says what belongs in it, at any depth. */
import type { JsonSchema } from 'toolwright'
import type { ToolCheck } from './finding.ts'
import { namedParameters } from './named-parameters.ts'

export const checkParameters: ToolCheck = ({ name, inputSchema }) =>
  namedParameters(inputSchema)
    .filter(({ schemas }) => !schemas.some(isDescribed) && !schemas.some(hasOneValue))
    .map(({ path }) => ({
      rule: 'parameter',
      tool: name,
      message: `${name}: the parameter ${path} has no description.`,
      fix: `Describe ${path}: what it means, its unit, an example.`,
    }))

const isDescribed = ({ description }: JsonSchema): boolean => (description ?? '').trim() !== ''

/** Only one value can be given, as in the kind of a union's member: there is nothing to explain. */
const hasOneValue = (schema: JsonSchema): boolean =>
  'const' in schema || (Array.isArray(schema.enum) && schema.enum.length === 1)
