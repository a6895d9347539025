/** What a tool says of how it does its work, as those who observe its call are told it. */
import { expect, it } from 'vitest'
import { ChatClient, tool, toolRunOf, type Observer, type ToolRun } from 'toolwright'
import { recordingObserver, scriptedModel } from 'toolwright/testing'

const MODES = ['call', 'stream'] as const

/** A tool that says two things, and the run that it said them to. */
function speaking() {
  const runs: ToolRun[] = []
  const speak = tool({
    name: 'speak',
    execute(_input: unknown, context) {
      const run = toolRunOf(context)
      runs.push(run)
      run.facts?.({ 'network.transport': 'tcp', 'server.port': 80 })
      run.facts?.({ 'server.port': 443 })
      return 'said'
    },
  })
  return { speak, runs }
}

const clientOf = (speak: ReturnType<typeof speaking>['speak'], observer?: Observer | Observer[]) =>
  ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'speak' }] }, 'Done.']), {
    tools: [speak],
    ...(observer && { observer }),
  })

for (const mode of MODES) {
  it(`is told to the observation of the call, and to no other: ${mode}`, async () => {
    const { speak } = speaking()
    const observer = recordingObserver()
    await clientOf(speak, observer).prompt('Go')[mode]().result()
    const all: [string, object][] = []
    const visit = (each: (typeof observer.observations)[number]): void => {
      if (Object.keys(each.factsTold).length > 0) all.push([each.info.name, each.factsTold])
      each.children.forEach(visit)
    }
    observer.observations.forEach(visit)
    expect(all).toEqual([['speak', { 'network.transport': 'tcp', 'server.port': 443 }]])
  })

  it(`nobody asks for it where nobody observes: ${mode}`, async () => {
    const { speak, runs } = speaking()
    await clientOf(speak).prompt('Go')[mode]().result()
    expect(runs.map(({ facts }) => facts)).toEqual([undefined])
    expect(toolRunOf({} as never).facts).toBeUndefined()
  })

  it(`an observer that fails at it costs one notice, and what comes later is dropped: ${mode}`, async () => {
    const { speak, runs } = speaking()
    const told: object[] = []
    const failing: Observer = {
      start: () => ({
        facts(facts) {
          // Another observer does not see what this one does to it.
          Object.assign(facts, { 'server.port': 1 })
          throw new Error('no')
        },
      }),
    }
    const listening: Observer = { start: () => ({ facts: (facts) => void told.push(facts) }) }
    const run = clientOf(speak, [failing, listening]).prompt('Go')[mode]()
    const notices: string[] = []
    for await (const event of run) if (event.type === 'notice') notices.push(event.code)
    runs[0]!.facts!({ 'server.port': 7 })
    expect(notices).toEqual(['observer-failed'])
    expect(told).toEqual([
      { 'network.transport': 'tcp', 'server.port': 80 },
      { 'server.port': 443 },
    ])
  })
}
