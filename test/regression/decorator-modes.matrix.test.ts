/** `@Tool()` under more options of the compiler than those of its two modes. */
import { HIDDEN, MEMBERS, toolCompiles } from './decorator-modes.ts'

const STRICTEST = { exactOptionalPropertyTypes: true, noImplicitAny: true }
const LOOSEST = { strict: false, noImplicitOverride: false }
const EXPERIMENTAL = { experimentalDecorators: true }
const METADATA = {
  ...EXPERIMENTAL,
  emitDecoratorMetadata: true,
  verbatimModuleSyntax: false,
  isolatedModules: false,
}

toolCompiles('standard decorators, strictest', { ...MEMBERS, ...HIDDEN }, STRICTEST)
toolCompiles('experimentalDecorators with metadata', MEMBERS, METADATA)
toolCompiles('experimentalDecorators, strictest', MEMBERS, { ...EXPERIMENTAL, ...STRICTEST })
toolCompiles('experimentalDecorators, not strict', MEMBERS, { ...EXPERIMENTAL, ...LOOSEST })
