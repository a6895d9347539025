/** `undo` of a tool: where it may be said, and how `undoCall()` runs it for an engine that cancels a run. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  augmentTools,
  clientTool,
  ChatClient,
  checkUndo,
  defineTools,
  methodTool,
  Tool,
  tool,
  ToolExecutionError,
  toolRegistry,
  toolsOf,
  undoCall,
  type FinishedCall,
  type ToolCallback,
  type ToolContext,
} from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'

const INPUT = z.object({ room: z.number() })
const FINISHED: FinishedCall = {
  input: { room: 7 },
  result: { id: 'b-1' },
  callId: 'call_1',
  idempotencyKey: 'run_1/call_1',
}

const CONTEXT: unknown = expect.objectContaining({ callId: 'call_1', toolName: 'book' })

/** A tool whose undo writes down what it got. */
function booking(seen: unknown[], more: object = {}): ToolCallback {
  return tool({
    name: 'book',
    input: INPUT,
    execute: ({ room }) => ({ id: `b-${room}` }),
    undo: (input, result, context) => void seen.push([input, result, context]),
    ...more,
  })
}

/** An undo that never ends; `started` gives the signal it was handed. */
function endless(): {
  readonly undo: (...all: [unknown, unknown, ToolContext]) => Promise<void>
  readonly started: Promise<AbortSignal>
} {
  let start!: (signal: AbortSignal) => void
  const started = new Promise<AbortSignal>((resolve) => (start = resolve))
  const undo = (_input: unknown, _result: unknown, context: ToolContext): Promise<void> => {
    start(context.signal)
    return new Promise(() => {})
  }
  return { undo, started }
}

describe('every way to make a tool takes undo', () => {
  const undoOf = (seen: unknown[]) => (input: unknown, result: unknown) =>
    void seen.push([input, result])
  const made: Record<
    string,
    (seen: unknown[]) => ToolCallback | Promise<ToolCallback | undefined>
  > = {
    'tool()': (seen) => tool({ name: 'book', input: INPUT, execute: () => 1, undo: undoOf(seen) }),
    'defineTools()': (seen) => {
      class Hotel {
        static tools = defineTools<Hotel>({ book: { input: INPUT, undo: undoOf(seen) } })
        book({ room }: { room: number }): number {
          return room
        }
      }
      return toolsOf(new Hotel())[0]!
    },
    '@Tool()': (seen) => {
      class Hotel {
        @Tool({ input: INPUT, undo: undoOf(seen) })
        book({ room }: { room: number }): number {
          return room
        }
      }
      return toolsOf(new Hotel())[0]!
    },
    'methodTool()': (seen) =>
      methodTool({
        method: function book({ room }: { room: number }) {
          return room
        },
        input: INPUT,
        undo: undoOf(seen),
      }),
    'register()': (seen) =>
      toolRegistry()
        .register('book', { input: INPUT, execute: () => 1, undo: undoOf(seen) })
        .resolve('book')!,
    'a record that names it': (seen) =>
      toolsOf({ book: tool({ input: INPUT, execute: () => 1, undo: undoOf(seen) }) })[0]!,
    'a callback of the program’s own': (seen) => ({
      definition: {
        name: 'book',
        description: 'Book a room',
        inputSchema: { type: 'object', properties: { room: { type: 'number' } } },
      },
      metadata: { returnDirect: false, hints: {}, effect: 'once', undo: undoOf(seen) },
      call: async () => 'booked',
    }),
  }
  it.each(Object.entries(made))('%s', async (_name, make) => {
    const seen: unknown[] = []
    await undoCall((await make(seen))!, FINISHED)
    expect(seen).toEqual([[{ room: 7 }, { id: 'b-1' }]])
  })

  it('clientTool()', async () => {
    const seen: unknown[] = []
    const client = ChatClient.create(scriptedModel([]))
    const ask = clientTool(client, { name: 'ask', description: 'Ask', undo: undoOf(seen) })
    await undoCall(ask, { ...FINISHED, input: { prompt: 'Hi' }, result: null })
    expect(seen).toEqual([[{ prompt: 'Hi' }, null]])
  })

  it('but a tool that only reads has nothing to undo', () => {
    const undo = (): void => {}
    const refused = { code: 'invalid-tool', message: expect.stringContaining('nothing to undo') }
    for (const reading of [{ effect: 'read' as const }, { hints: { readOnly: true } }]) {
      expect(() => tool({ name: 'look', ...reading, undo })).toThrow(
        expect.objectContaining(refused),
      )
      class Hotel {
        look(): void {}
      }
      expect(() => defineTools<Hotel>({ look: { ...reading, undo } })).toThrow(
        expect.objectContaining(refused),
      )
    }
    expect(() => tool({ name: 'book', undo: true as never })).toThrow(
      /undo is true; it takes a function/,
    )
  })
})

describe('checkUndo', () => {
  it('rejects where undoCall would before it undoes anything, and undoes nothing', async () => {
    const seen: unknown[] = []
    await checkUndo(booking(seen), FINISHED)
    await expect(
      checkUndo(booking(seen), { ...FINISHED, input: { room: 'x' } }),
    ).rejects.toMatchObject({ code: 'tool-input' })
    await expect(checkUndo(booking(seen, { undo: undefined }), FINISHED)).rejects.toMatchObject({
      code: 'invalid-tool',
    })
    const context = z.object({ user: z.string() })
    await expect(checkUndo(booking(seen, { context }), FINISHED)).rejects.toMatchObject({
      code: 'invalid-tool-context',
    })
    expect(seen).toEqual([])
  })
})

describe('undoCall()', () => {
  it('gives what the call got: the checked input and the declared context', async () => {
    const seen: [unknown, unknown, ToolContext][] = []
    const context = z.object({ tenant: z.string() })
    const input = z.object({ on: z.string().transform((text) => new Date(text)) })
    const book = booking(seen, { input, context, execute: () => 1 })
    const values = { tenant: 'acme', token: 'hush' }
    await undoCall(book, { ...FINISHED, input: { on: '2026-01-01' }, values })
    const [[given, result, got]] = seen as [(typeof seen)[0]]
    expect(given).toEqual({ on: new Date('2026-01-01') })
    expect(result).toEqual({ id: 'b-1' })
    expect(got.values).toEqual({ tenant: 'acme' })
    expect(got).toMatchObject({
      callId: 'call_1',
      toolName: 'book',
      idempotencyKey: 'run_1/call_1',
      attempt: 1,
    })
  })

  it('gives the value of an input that is no object', async () => {
    const seen: unknown[] = []
    await undoCall(booking(seen, { input: z.number() }), { ...FINISHED, input: { value: 7 } })
    expect(seen).toEqual([[7, { id: 'b-1' }, CONTEXT]])
  })

  it('leaves out extra arguments that the tool did not get', async () => {
    const augment = (keepArguments: boolean, seen: unknown[]): ToolCallback =>
      augmentTools(booking(seen), {
        input: z.object({ why: z.string() }),
        keepArguments,
      })[0] as ToolCallback
    const finished = { ...FINISHED, input: { room: 7, why: 'holidays' } }
    const without: unknown[] = []
    await undoCall(augment(false, without), finished)
    expect(without).toEqual([[{ room: 7 }, { id: 'b-1' }, CONTEXT]])
    const kept: unknown[] = []
    await undoCall(augment(true, kept), finished)
    expect(kept).toEqual([[{ room: 7, why: 'holidays' }, { id: 'b-1' }, CONTEXT]])
  })

  it('waits for an undo that is a promise', async () => {
    const log: string[] = []
    const undo = async (): Promise<void> => {
      await new Promise((wake) => setImmediate(wake))
      log.push('undone')
    }
    await undoCall(booking([], { undo }), FINISHED)
    expect(log).toEqual(['undone'])
  })

  it('says what a failing undo says, without secrets', async () => {
    const cause = new Error('refused with Bearer abcdefghijklmnop')
    for (const undo of [
      () => Promise.reject(cause),
      (): never => {
        throw cause
      },
    ]) {
      const failed = await undoCall(booking([], { undo }), FINISHED).catch(
        (thrown: unknown) => thrown,
      )
      expect(failed).toBeInstanceOf(ToolExecutionError)
      expect(failed).toMatchObject({ toolName: 'book', callId: 'call_1', cause })
      expect((failed as Error).message).not.toContain('abcdefghijklmnop')
    }
  })

  it.each([[undefined], ['nothing'], [Object.create(null)]])(
    'a thrown %s is an error',
    async (thrown) => {
      const undo = (): never => {
        throw thrown
      }
      await expect(undoCall(booking([], { undo }), FINISHED)).rejects.toBeInstanceOf(
        ToolExecutionError,
      )
    },
  )

  it('an undo that asks a question fails, also if it caught the signal', async () => {
    const asking = (_input: unknown, _result: unknown, context: ToolContext): void => {
      context.suspend('sure?')
    }
    const hiding = (...all: Parameters<typeof asking>): void => {
      try {
        asking(...all)
      } catch {
        // Kept for itself.
      }
    }
    for (const undo of [asking, hiding])
      await expect(undoCall(booking([], { undo }), FINISHED)).rejects.toMatchObject({
        code: 'tool-execution',
        message: expect.stringContaining('cannot ask a question'),
      })
  })

  const LIMITS: Record<string, readonly [tool: object, call: object, ms: number]> = {
    'the tool’s own time': [{ timeoutMs: 50 }, { timeoutMs: 10 }, 50],
    'the given time': [{}, { timeoutMs: 10 }, 10],
    'a minute': [{}, {}, 60_000],
  }
  it.each(Object.entries(LIMITS))('ends after %s', async (_name, [more, call, ms]) => {
    const clock = manualClock()
    const { undo, started } = endless()
    const undoing = undoCall(booking([], { ...more, undo }), { ...FINISHED, ...call, clock })
    const outcome = expect(undoing).rejects.toMatchObject({
      code: 'tool-timeout',
      message: expect.stringContaining(`its undo did not end within ${ms} ms`),
    })
    const signal = await Promise.race([started, outcome])
    await clock.advance(ms)
    await outcome
    expect(signal?.aborted).toBe(true)
  })

  it('an abort is told to undo, and not waited for', async () => {
    const abort = new AbortController()
    const { undo, started } = endless()
    const call = { ...FINISHED, signal: abort.signal }
    const outcome = expect(undoCall(booking([], { undo }), call)).rejects.toMatchObject({
      code: 'tool-execution',
      cause: { message: 'left' },
    })
    const signal = await Promise.race([started, outcome])
    abort.abort(new Error('left'))
    await outcome
    expect(signal?.aborted).toBe(true)
    const seen: unknown[] = []
    await expect(undoCall(booking(seen), call)).rejects.toBeInstanceOf(ToolExecutionError)
    expect(seen).toEqual([])
  })

  it('does not start for an input that does not fit, or a context that lacks something', async () => {
    const seen: unknown[] = []
    const book = booking(seen, { context: z.object({ tenant: z.string() }) })
    await expect(undoCall(book, { ...FINISHED, input: { room: 'x' } })).rejects.toMatchObject({
      code: 'tool-input',
    })
    await expect(undoCall(book, FINISHED)).rejects.toMatchObject({ code: 'invalid-tool-context' })
    expect(seen).toEqual([])
  })

  it('refuses a tool without undo', async () => {
    const bare = tool({ name: 'bare', execute: () => 1 })
    await expect(undoCall(bare, { ...FINISHED, input: {} })).rejects.toMatchObject({
      code: 'invalid-tool',
      message: expect.stringContaining('"bare" has no undo'),
    })
  })
})
