// Written by `toolwright generate` from date-time-tools.ts. Change that file and run it again.
import { tool, type ToolCallback } from 'toolwright'
import type { DateTimeTools } from './date-time-tools.ts'

/** The tools of a DateTimeTools. */
export const dateTimeTools = (instance: DateTimeTools): readonly ToolCallback[] => [
  tool({
    name: 'getCurrentDateTime',
    description: "Get the current date and time in the user's timezone.",
    output: { type: 'string', format: 'date-time' },
    hints: { readOnly: true },
    execute: () => instance.getCurrentDateTime(),
  }),
  tool({
    name: 'setAlarm',
    description: 'Set a user alarm for the given time.',
    input: {
      type: 'object',
      properties: {
        time: { type: 'string', format: 'date-time', description: 'When to ring' },
        label: { type: 'string' },
      },
      required: ['time'],
      additionalProperties: false,
    },
    output: { type: 'string' },
    execute: ({ time, label }) => instance.setAlarm(new Date(time), label),
  }),
]

type Same<Now, Then> = [Now, Then] extends [Then, Now] ? true : 'changed: run toolwright generate'

type AllTrue<Checks extends readonly true[]> = Checks

/** Does not compile once the source has other parameters or properties: generate again. */
export type DateTimeToolsUnchanged = AllTrue<
  [
    Same<Parameters<DateTimeTools['getCurrentDateTime']>['length'], 0>,
    Same<Parameters<DateTimeTools['setAlarm']>['length'], 1 | 2>,
  ]
>
