/** Serves what the conformance suite needs, by `serveTools()` alone. */
import { serveTools, type ServedTools } from '@toolwright/mcp'
import { defaultExceptionProcessor } from 'toolwright'
import { fixturePrompts } from './fixture-prompts.ts'
import { fixtureResources } from './fixture-resources.ts'
import { fixtureTools, ProtocolFault } from './fixture-tools.ts'

export function fixtureServer(): ServedTools {
  const served: ServedTools = serveTools(
    fixtureTools(() => served),
    {
      name: 'toolwright-conformance',
      version: '1.0.0',
      prompts: fixturePrompts,
      resources: fixtureResources,
      exceptionProcessor: defaultExceptionProcessor({ rethrow: [ProtocolFault] }),
      tasks: {
        slow_compute: {},
        failing_job: { required: true },
        protocol_error_job: {},
        confirm_delete: {},
        multi_input: {},
        test_tool_with_task: { required: true, asksFirst: true },
      },
    },
  )
  return served
}
