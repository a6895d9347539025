/** Writes docs/models.md. */
import { writeFileSync } from 'node:fs'
import { modelsPage } from './docs/models-page.ts'

writeFileSync(new URL('../docs/models.md', import.meta.url), await modelsPage())
