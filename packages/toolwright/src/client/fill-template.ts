/** `{name}` in a text, filled from params. Without params a text is taken as it is, braces and all. */
import { ConfigurationError } from '../errors/errors.ts'
import { didYouMean } from '../internal/nearest-names.ts'

export type TemplateParams = { readonly [name: string]: unknown }

export function fillTemplate(text: string, params: TemplateParams | undefined): string {
  if (!params) return text
  return text.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    if (Object.hasOwn(params, name)) return String(params[name])
    throw new ConfigurationError(
      'invalid-option',
      `The text needs a param "${name}".${didYouMean(name, Object.keys(params))}`,
    )
  })
}
