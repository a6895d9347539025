/** The page of every error and notice, made from the catalogues so that they cannot differ. */
import {
  CATALOGUE,
  type CatalogueEntry,
  type ErrorFamily,
} from '../../packages/toolwright/src/errors/catalogue.ts'
import {
  NOTICES,
  type NoticeAudience,
  type NoticeEntry,
} from '../../packages/toolwright/src/errors/notices.ts'

const FAMILIES: { readonly [family in ErrorFamily]: string } = {
  caller: 'The program is wrong. Found before a model is asked, where that is possible.',
  model: 'The model misbehaved beyond what it can be told.',
  outside:
    'A provider, the network, a tool or a database failed. A `ProviderError` also has `provider` and, where they are known, `status`, `requestId` (what the provider calls the request in its logs), `retryAfterMs` and the start of the `body`, without secrets.',
  limits: 'A budget ended, or the run waits for somebody.',
}

const AUDIENCES: { readonly [audience in NoticeAudience]: string } = {
  run: 'Readers of a run are told by a `notice` event; its observers and loggers are told too.',
  observer: 'Only observers and loggers are told.',
  logger:
    'No run was started, so only the logger is told, and stderr unless `NODE_ENV` is `production`.',
  command: 'Readers of `toolwright chat --json` are told.',
}

const INTRODUCTION = `# Errors and notices

Every error that toolwright throws is a \`ToolwrightError\` with a \`code\`, a \`message\` (what happened, what
was there, what to do next), \`retryable\` and, where there is one, a \`cause\`. \`ToolwrightError.is(x)\` tells
them apart from others, also across two copies of the package. What goes wrong inside a tool is told to
the model by default and does not throw.

A [notice](#notices) tells what is worth knowing without being an error: the run goes on.

This page is written by \`npm run docs:errors\` from \`catalogue.ts\` and \`notices.ts\` of
\`packages/toolwright/src/errors\`.
`

const NOTICES_INTRODUCTION = `## notices

A notice has a \`code\`, a \`message\` with what happened this time and sometimes \`data\`. An advisor of
your own may emit notices with codes of its own.
`

/** The whole page as Markdown. */
export function errorsPage(): string {
  const families = Object.entries(FAMILIES) as [ErrorFamily, string][]
  const sections = families.map(([family, meaning]) => section(family, meaning))
  const audiences = Object.entries(AUDIENCES) as [NoticeAudience, string][]
  const notices = audiences.map(([audience, meaning]) => noticeSection(audience, meaning))
  return [INTRODUCTION, ...sections, NOTICES_INTRODUCTION, ...notices].join('\n')
}

function section(family: ErrorFamily, meaning: string): string {
  const entries: [string, CatalogueEntry][] = Object.entries(CATALOGUE)
  const codes = entries.filter(([, entry]) => entry.family === family)
  const items = codes.map(([code, { nextStep }]) => `- \`${code}\`: ${nextStep}`)
  return `## ${family}\n\n${meaning}\n\n${items.join('\n')}\n`
}

function noticeSection(audience: NoticeAudience, meaning: string): string {
  const entries: [string, NoticeEntry][] = Object.entries(NOTICES)
  const rows = entries.filter(([, entry]) => entry.audience === audience)
  const items = rows.map(([code, entry]) => `- \`${code}\`: ${entry.meaning} ${entry.nextStep}`)
  return `### ${audience}\n\n${meaning}\n\n${items.join('\n')}\n`
}
