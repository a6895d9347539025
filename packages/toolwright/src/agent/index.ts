/** The door of the Agent/Tool protocol: tools as pure schemas, composed with the wanted output into one answer. */
export { composeSchema } from './compose-schema.ts'
export { agentRegistry } from './agent-registry.ts'
