/** Checks that every parameter, at any depth, has a description. */
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

/** Only one value is possible, as in the kind of a union's member, so there is nothing to describe. */
const hasOneValue = (schema: JsonSchema): boolean =>
  'const' in schema || (Array.isArray(schema.enum) && schema.enum.length === 1)
