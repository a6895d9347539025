/** What observers are told, while it is put together: fields are set one by one, because spreading costs more. */
import type { Writable } from '../internal/writable.ts'
import type { AnswerOutcome, Observation, ObservationInfo, ToolOutcome } from './observer.ts'

/** What each observer returned for one thing, in their order. */
export type Seats = readonly (Observation | undefined)[]

/** That something starts. */
export type Info = Writable<ObservationInfo> & { parent?: Observation }

/** How something ended. `kind` and `durationMs` are set at the end, in room that was made for them. */
export type Ending = { kind: string; durationMs: number; failed: boolean } & {
  -readonly [
    key in Exclude<keyof AnswerOutcome | keyof ToolOutcome, 'kind' | 'failed' | 'durationMs'>
  ]?: (AnswerOutcome & Omit<ToolOutcome, 'kind'>)[key]
}

/** What is told only to observers and loggers that ask for content. Undefined also if none of them does. */
export type Content = object | undefined
