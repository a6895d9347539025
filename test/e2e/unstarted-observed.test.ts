/** Runs that could not begin are failed runs to whoever watches. */
import { describe, expect, it } from 'vitest'
import { ChatClient, type ToolSource } from 'toolwright'
import { recordingObserver, scriptedModel } from 'toolwright/testing'

const MODES = ['call', 'stream'] as const

describe.each(MODES)('a run that cannot begin (%s)', (mode) => {
  const asked = (tools: ToolSource) => {
    const observer = recordingObserver()
    const lines: string[] = []
    const quiet = (): void => {}
    const logger = { debug: quiet, info: quiet, warn: quiet, error: (line: string) => void lines.push(line) } // prettier-ignore
    const client = ChatClient.create(scriptedModel(['Never.']), {
      tools: [tools],
      observer,
      logger,
    })
    const run = client.prompt('Go')[mode]()
    return { observer, lines, run }
  }

  it('is told with what its tools failed with', async () => {
    const { observer, lines, run } = asked({
      toolCallbacks: () => Promise.reject(new Error('The server is down.')),
    })
    const failure: unknown = await run.result().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    const [only, ...others] = observer.observations
    expect(others).toEqual([])
    expect(only).toMatchObject({
      kind: 'client',
      info: { name: 'scripted', mode, phase: 'start', runId: expect.any(String) as string },
      outcomes: [{ failed: true, error: failure }],
    })
    expect(lines).toHaveLength(1)
  })
})
