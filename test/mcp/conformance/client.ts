/**
 * The client that the conformance suite of MCP starts for each of its scenarios: a conversation with the tools of
 * `mcpTools()`. It gets the server's address as its last argument, the scenario in variables.
 */
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
} from '@modelcontextprotocol/client'
import { mcpTools, type HttpServer, type McpEra, type McpQuestion } from '@toolwright/mcp'
import { ChatClient, type Json, type JsonSchema, type ToolCallback } from 'toolwright'
import { scriptedModel, type ScriptedCall } from 'toolwright/testing'
import { Browser, patientFetch } from './browser.ts'

interface Context {
  readonly toolCalls?: readonly ScriptedCall[]
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly signing_algorithm?: string
  readonly idp_client_id?: string
  readonly idp_id_token?: string
  readonly idp_token_endpoint?: string
}

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '2025-11-25'
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context
const url = process.argv.at(-1)!

const era: McpEra = version === '2026-07-28' ? 'auto' : 'legacy'

function authOf(): HttpServer['auth'] {
  const { client_id: clientId = '', client_secret: clientSecret = '' } = context
  if (scenario === 'auth/client-credentials-basic')
    return new ClientCredentialsProvider({ clientId, clientSecret })
  if (scenario === 'auth/client-credentials-jwt') {
    const { private_key_pem: privateKey = '', signing_algorithm: algorithm = '' } = context
    return new PrivateKeyJwtProvider({ clientId, privateKey, algorithm })
  }
  if (scenario === 'auth/enterprise-managed-authorization')
    return enterprise(clientId, clientSecret)
  if (!scenario.startsWith('auth/')) return undefined
  return new Browser({
    ...(clientId && { preRegistered: { client_id: clientId, client_secret: clientSecret } }),
    bindsTokens: scenario.startsWith('auth/dpop'),
  })
}

/** The company's identity provider gives a grant for the server, instead of a person at a browser. */
const enterprise = (clientId: string, clientSecret: string): CrossAppAccessProvider =>
  new CrossAppAccessProvider({
    clientId,
    clientSecret,
    assertion: async ({ authorizationServerUrl, resourceUrl, fetchFn }) => {
      const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
        tokenEndpoint: context.idp_token_endpoint!,
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken: context.idp_id_token!,
        clientId: context.idp_client_id!,
        fetchFn,
      })
      return jwtAuthGrant
    },
  })

/** What a person would type: as little as the schema allows. */
function leastOf({ type, properties = {}, required = [], enum: values }: JsonSchema): Json {
  if (values) return values[0] as Json
  if (type === 'object')
    return Object.fromEntries(required.map((key) => [key, leastOf(properties[key] as JsonSchema)]))
  return type === 'boolean' ? true : type === 'string' ? 'text' : 1
}

function callsFor(tools: readonly ToolCallback[]): readonly ScriptedCall[] {
  if (context.toolCalls) return context.toolCalls
  const rich = tools.find(({ definition }) => definition.name === 'json_schema_2020_12_tool')
  return tools.map(({ definition: { name, inputSchema } }) => ({
    name,
    arguments:
      name === 'json_schema_echo' && rich
        ? { schema: rich.definition.inputSchema as Json }
        : leastOf(inputSchema),
  }))
}

const answerTo = (question: unknown): Json => {
  const asked = question as McpQuestion
  return asked.mode === 'form' ? leastOf(asked.requestedSchema as JsonSchema) : 'accept'
}

await using tools = mcpTools(
  { url, auth: authOf(), fetch: patientFetch },
  { era, trust: 'trusted', timeoutMs: 60_000 },
)
const toolCalls = callsFor(await tools.toolCallbacks())
const model = scriptedModel([...(toolCalls.length > 0 ? [{ toolCalls }] : []), 'Done.'])
const client = ChatClient.create(model, { tools: [tools] })
let result = await client.prompt('Go').call().result()
while (result.status === 'suspended') {
  const decisions = Object.fromEntries(
    result.pending!.map((pending) => [pending.callId, { answer: answerTo(pending.question) }]),
  )
  result = await client.resume(result.state!, decisions).call().result()
}
for (const message of result.messages)
  if (message.role === 'tool')
    for (const { name, isError, content } of message.responses)
      if (isError) {
        console.error(`${name}: ${JSON.stringify(content)}`)
        process.exitCode = 1
      }
