/** Steps of DBOS by themselves: a workflow that does nothing but keep what its steps give. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { answerQuestions } from '../../../test/processes/asked-process.ts'
import { modelAnswer, TOOL_RESULT } from './payloads.ts'
import { stepTimes, type StepBatch } from './step-times.ts'
import type { AskedSteps } from './toolwright-worker.ts'

const { url } = JSON.parse(process.argv[2]!) as { readonly url: string }
const times = stepTimes()

const workflow = DBOS.registerWorkflow(
  async (rounds: number): Promise<string> => {
    for (let round = 0; round < rounds; round++) {
      await DBOS.runStep(
        async () => {
          times.mark()
          return modelAnswer(round)
        },
        { name: `model/${round}` },
      )
      await DBOS.runStep(
        async () => {
          times.mark()
          return TOOL_RESULT
        },
        { name: `tool/call_${round}` },
      )
    }
    return 'done'
  },
  { name: 'bare' },
)

DBOS.setConfig({
  name: 'bare',
  systemDatabaseUrl: url,
  logLevel: 'error',
  applicationVersion: 'bare',
})
await DBOS.launch()

const answers = {
  async steps({ runs, rounds }: AskedSteps): Promise<StepBatch> {
    const handles = await Promise.all(
      Array.from({ length: runs }, () => DBOS.startWorkflow(workflow)(rounds)),
    )
    await Promise.all(handles.map((handle) => handle.getResult()))
    return times.take()
  },
}
export type BareAnswers = typeof answers
await answerQuestions(async () => answers)
