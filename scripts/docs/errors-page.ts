/** The page of every error code, made from the catalogue so that the two cannot differ. */
import {
  CATALOGUE,
  type CatalogueEntry,
  type ErrorFamily,
} from '../../packages/toolwright/src/errors/catalogue.ts'

const FAMILIES: { readonly [family in ErrorFamily]: string } = {
  caller: 'The program is wrong. Found before a model is asked, where that is possible.',
  model: 'The model misbehaved beyond what it can be told.',
  outside: 'A provider, the network or a tool failed.',
  limits: 'A budget ended, or the run waits for somebody.',
}

const INTRODUCTION = `# Errors

Every error that toolwright throws is a \`ToolwrightError\` with a \`code\`, a \`message\` (what happened, what
was there, what to do next), \`retryable\` and, where there is one, a \`cause\`. \`ToolwrightError.is(x)\` tells
them apart from others, also across two copies of the package. What goes wrong inside a tool is told to
the model by default and does not throw.

This page is written by \`npm run docs:errors\` from \`packages/toolwright/src/errors/catalogue.ts\`.
`

/** The whole page as Markdown. */
export function errorsPage(): string {
  const families = Object.entries(FAMILIES) as [ErrorFamily, string][]
  const sections = families.map(([family, meaning]) => section(family, meaning))
  return `${INTRODUCTION}\n${sections.join('\n')}`
}

function section(family: ErrorFamily, meaning: string): string {
  const entries: [string, CatalogueEntry][] = Object.entries(CATALOGUE)
  const codes = entries.filter(([, entry]) => entry.family === family)
  const items = codes.map(([code, { nextStep }]) => `- \`${code}\`: ${nextStep}`)
  return `## ${family}\n\n${meaning}\n\n${items.join('\n')}\n`
}
