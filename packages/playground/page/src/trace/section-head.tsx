/** What a run was in a line. */
import { Badge, type BadgeProps } from '../parts/badge.tsx'
import { printable } from '../parts/printable.ts'
import type { TraceSection } from './trace-sections.ts'

const TONES = new Map<string, BadgeProps['tone']>([
  ['done', 'ok'],
  ['failed', 'danger'],
  ['suspended', 'warn'],
  ['limit', 'warn'],
])

export const SectionHead = ({
  section: { title, status, facts },
}: {
  readonly section: TraceSection
}) => (
  <header class="section-head row">
    <h3>{title}</h3>
    {status !== '' && <Badge tone={TONES.get(status)}>{status}</Badge>}
    <span class="quiet">{printable(facts.join(' · '))}</span>
  </header>
)
