/** Checks for names that a provider rejects: the whole request fails then, not only the tool. */
import type { Finding, ToolCheck } from './finding.ts'
import { namedParameters } from './named-parameters.ts'

interface NameRule {
  readonly provider: string
  readonly pattern: RegExp
  readonly words: string
}

const TOOL_NAMES: readonly NameRule[] = [
  {
    provider: 'OpenAI',
    pattern: /^[a-zA-Z0-9_-]{1,64}$/,
    words: 'takes letters a–z, digits, _ and -, at most 64',
  },
  {
    provider: 'Anthropic',
    pattern: /^[a-zA-Z0-9_-]{1,128}$/,
    words: 'takes letters a–z, digits, _ and -, at most 128',
  },
  {
    provider: 'Gemini',
    pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
    words: 'takes a letter or _, then letters, digits, _ . : and -, at most 64',
  },
]

const PARAMETER_NAMES: readonly NameRule[] = [
  {
    provider: 'Anthropic',
    pattern: /^[a-zA-Z0-9_.-]{1,64}$/,
    words: 'takes letters a–z, digits, _ . and -, at most 64',
  },
]

export const checkNames: ToolCheck = ({ name, inputSchema }) => [
  ...refusals({ tool: name, what: `The name "${shortened(name)}"` }, name, TOOL_NAMES),
  ...namedParameters(inputSchema).flatMap(({ name: key, path }) =>
    refusals(
      { tool: name, what: `${name}: the parameter "${shortened(path)}"` },
      key,
      PARAMETER_NAMES,
    ),
  ),
]

function refusals(
  about: { readonly tool: string; readonly what: string },
  name: string,
  rules: readonly NameRule[],
): readonly Finding[] {
  const refused = rules.filter(({ pattern }) => !pattern.test(name))
  if (refused.length === 0) return []
  const by = refused.map(({ provider, words }) => `${provider} (${words})`).join(', ')
  return [
    {
      rule: 'name',
      tool: about.tool,
      message: `${about.what} is refused by ${by}.`,
      fix: `Rename it${fitting(name)}.`,
    },
  ]
}

/** A similar name that all providers accept, if there is one. */
function fitting(name: string): string {
  const similar = name
    .replaceAll(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^(?=[\d-])/, '_')
    .slice(0, 64)
  return /[a-zA-Z]/.test(similar) ? `, for example to ${similar}` : ''
}

const shortened = (name: string): string => (name.length > 80 ? `${name.slice(0, 79)}…` : name)
