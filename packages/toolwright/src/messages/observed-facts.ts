/**
 * How something is done, for whoever observes it: by which protocol, at which server. Names are those of OpenTelemetry
 * where it has one, e.g. `mcp.method.name`. No content, and nothing that opens a door.
 */
export interface ObservedFacts {
  readonly [name: string]: string | number
}
