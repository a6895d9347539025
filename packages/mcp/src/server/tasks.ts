/**
 * The tasks extension (`io.modelcontextprotocol/tasks`), which the SDK does not have: a call that takes long answers
 * with a task, whose result the client comes back for. A task belongs to the caller that made it, and is kept in this
 * process until its time is over.
 */
import type {
  CallToolResult,
  InputRequests,
  InputRequiredResult,
} from '@modelcontextprotocol/server'
import type { Given } from './ask-client.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, Refusal } from './refusal.ts'

/** The state of a task, as clients see it. */
export interface TaskView {
  readonly taskId: string
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  readonly createdAt: string
  readonly lastUpdatedAt: string
  readonly ttlMs: number
  readonly pollIntervalMs: number
  readonly inputRequests?: InputRequests
  readonly result?: CallToolResult
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export interface CreatedTask extends TaskView {
  readonly resultType: 'task'
  readonly [key: string]: unknown
}

type Answer = CallToolResult | InputRequiredResult

/** A call that may become a task. */
export interface TaskJob {
  /** How long the client waits for a plain answer, in ms. */
  readonly afterMs: number
  readonly principal: string
  /** From now on the call goes on without its request. Returns what aborts it. */
  detach(): AbortController
  /** Goes on with the call when it was answered. */
  again(requestState: string, responses: Given): Promise<Answer>
}

interface Task {
  view: TaskView
  readonly job: TaskJob
  readonly controller: AbortController
  readonly expires: number
  /** While it waits: what the answers go back with. */
  requestState?: string | undefined
}

export interface TasksOptions {
  readonly ttlMs: number
  now(): number
}

const POLL_MS = 1000
/** Beyond it calls are simply waited for. */
const MOST_TASKS = 1000

export class Tasks {
  readonly #tasks = new Map<string, Task>()
  readonly #options: TasksOptions

  constructor(options: TasksOptions) {
    this.#options = options
  }

  /** The answer if it is there in time, otherwise a task. */
  async orTask(answering: Promise<Answer>, job: TaskJob): Promise<Answer | CreatedTask> {
    this.#sweep()
    if (this.#tasks.size >= MOST_TASKS) return answering
    const early = job.afterMs > 0 ? await within(answering, job.afterMs) : undefined
    if (early) return early.answer
    const task = this.#create(job)
    void this.#follow(task, answering)
    return { resultType: 'task', ...task.view }
  }

  get(taskId: string, principal: string): TaskView {
    return this.#find(taskId, principal).view
  }

  /** Takes answers to what the task asks. What is not asked is ignored, and what is not answered stays asked. */
  async update(taskId: string, principal: string, responses: Given): Promise<void> {
    const task = this.#find(taskId, principal)
    const { requestState, job, view } = task
    if (view.status !== 'input_required' || requestState === undefined) return
    task.requestState = undefined
    const isWhole = Object.keys(view.inputRequests ?? {}).every((key) =>
      Object.hasOwn(responses, key),
    )
    if (isWhole) this.#set(task, { status: 'working' })
    const followed = this.#follow(task, job.again(requestState, responses))
    // Nothing runs for a part of the answers, so that the client can be told when it counts.
    if (!isWhole) await followed
  }

  cancel(taskId: string, principal: string): void {
    const task = this.#find(taskId, principal)
    if (isOver(task)) return
    this.#set(task, { status: 'cancelled' })
    task.controller.abort(new Error('The task was cancelled.'))
  }

  /** Ends all that still run. */
  close(): void {
    for (const { controller } of this.#tasks.values())
      controller.abort(new Error('The server was closed.'))
    this.#tasks.clear()
  }

  #create(job: TaskJob): Task {
    const { ttlMs, now } = this.#options
    const at = new Date(now()).toISOString()
    const taskId = crypto.randomUUID()
    const task: Task = {
      view: {
        taskId,
        status: 'working',
        createdAt: at,
        lastUpdatedAt: at,
        ttlMs,
        pollIntervalMs: POLL_MS,
      },
      job,
      controller: job.detach(),
      expires: now() + ttlMs,
    }
    this.#tasks.set(taskId, task)
    return task
  }

  /** The first end counts: a result that comes after a cancellation is dropped. */
  #follow(task: Task, answering: Promise<Answer>): Promise<void> {
    return answering.then(
      (answer) => {
        if (isOver(task)) return
        if (!isAsking(answer)) return this.#set(task, { status: 'completed', result: answer })
        task.requestState = answer.requestState
        this.#set(task, { status: 'input_required', inputRequests: answer.inputRequests ?? {} })
      },
      (thrown: unknown) => {
        if (!isOver(task)) this.#set(task, { status: 'failed', error: errorOf(thrown) })
      },
    )
  }

  #set(task: Task, change: Pick<TaskView, 'status'> & Partial<TaskView>): void {
    const { taskId, createdAt, ttlMs, pollIntervalMs } = task.view
    const lastUpdatedAt = new Date(this.#options.now()).toISOString()
    task.view = { taskId, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, ...change }
  }

  /** That of another caller is as unknown as one that never was. */
  #find(taskId: string, principal: string): Task {
    this.#sweep()
    const task = this.#tasks.get(taskId)
    if (task?.job.principal === principal) return task
    throw new Refusal(INVALID_PARAMS, 'Unknown task: it never was, or its time is over.')
  }

  #sweep(): void {
    const now = this.#options.now()
    for (const [taskId, { expires, controller }] of this.#tasks) {
      if (expires > now) continue
      this.#tasks.delete(taskId)
      controller.abort(new Error('The time of the task is over.'))
    }
  }
}

const OVER: readonly TaskView['status'][] = ['completed', 'failed', 'cancelled']
const isOver = ({ view }: Task): boolean => OVER.includes(view.status)

const isAsking = (answer: object): answer is InputRequiredResult =>
  'resultType' in answer && answer.resultType === 'input_required'

/** Only refusals have words for clients. */
const errorOf = (thrown: unknown): NonNullable<TaskView['error']> =>
  thrown instanceof Refusal
    ? { code: thrown.code, message: thrown.message, ...(thrown.data && { data: thrown.data }) }
    : { code: INTERNAL_ERROR, message: 'The call failed.' }

async function within(
  answering: Promise<Answer>,
  ms: number,
): Promise<{ readonly answer: Answer } | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([answering.then((answer) => ({ answer })), late])
  } finally {
    clearTimeout(timer)
  }
}
