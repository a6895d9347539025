/** The resources of a server: those with an address of their own, and templates. */
import { invalid } from './invalid-option.ts'
import type { ResourceVariables, ServedResource } from './served-resource.ts'
import { isTemplate, uriTemplate, type UriTemplate } from './uri-template.ts'

export interface FoundResource {
  readonly resource: ServedResource
  readonly variables: ResourceVariables
}

export interface ResourceTemplateEntry {
  readonly resource: ServedResource
  readonly template: UriTemplate
}

export interface ResourceList {
  readonly fixed: readonly ServedResource[]
  readonly templates: readonly ResourceTemplateEntry[]
  /** One with this address; otherwise the first template that it fits. */
  find(uri: string): FoundResource | undefined
}

/** Longer than any address is meant to be. */
const LONGEST_URI = 8192

export function resourceList(resources: readonly ServedResource[]): ResourceList {
  checkResources(resources)
  const fixed = resources.filter(({ uri }) => !isTemplate(uri))
  const templates = resources
    .filter(({ uri }) => isTemplate(uri))
    .map((resource) => ({ resource, template: uriTemplate(resource.uri) }))
  const byUri = new Map(fixed.map((resource) => [resource.uri, resource]))
  return {
    fixed,
    templates,
    find(uri) {
      const resource = byUri.get(uri)
      if (resource) return { resource, variables: {} }
      return uri.length > LONGEST_URI ? undefined : fitting(templates, uri)
    },
  }
}

function fitting(
  templates: readonly ResourceTemplateEntry[],
  uri: string,
): FoundResource | undefined {
  for (const { resource, template } of templates) {
    const variables = template.match(uri)
    if (variables) return { resource, variables }
  }
  return undefined
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/

function checkResources(resources: readonly ServedResource[]): void {
  for (const { uri, name } of resources) {
    if (typeof uri !== 'string' || !SCHEME.test(uri))
      throw invalid(
        `The uri of a resource begins with a scheme, such as notes://today: ${JSON.stringify(uri)} does not.`,
      )
    if (typeof name !== 'string' || name.trim() === '')
      throw invalid(`The resource ${uri} has no name.`)
  }
  if (new Set(resources.map(({ uri }) => uri)).size < resources.length)
    throw invalid('Two resources have the same uri.')
}
