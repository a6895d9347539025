/** A program that reads its runs, or forgets to: one case for each name that it is given. What it prints is compared by the test. */
import { setImmediate as turn } from 'node:timers/promises'
import { ChatClient, type CallRun, type Logger } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const logger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (message, data) => console.log(`logged ${String(data?.['code'])}: ${message}`),
  error: () => {},
}
const client = (options: { readonly logger?: Logger } = {}): ChatClient =>
  ChatClient.create(scriptedModel(Array.from({ length: 50 }, () => 'Answer.')), options)

/** Makes it garbage: nothing on the stack refers to what `make` made. */
async function collect(make: () => unknown): Promise<void> {
  make()
  for (let time = 0; time < 20; time++) {
    await turn()
    ;(globalThis as { gc?: () => void }).gc!()
  }
}

const CASES: { readonly [name: string]: () => Promise<unknown> | void } = {
  awaited: async () => void (await client({ logger }).prompt('Go').call()),
  streamed: async () => void (await client({ logger }).prompt('Go').stream()),
  forgotten: () => void client().prompt('Go').call(),
  'iterator never asked': () => void client().prompt('Go').stream().events(),
  exits() {
    client().prompt('Go').call()
    process.exit(0)
  },
  'logger throws'() {
    const broken = { ...logger, warn: () => { throw new Error('no') } } // prettier-ignore
    client({ logger: broken }).prompt('Go').call()
  },
  many() {
    const asking = client()
    for (let n = 0; n < 50; n++) asking.prompt('Go').call()
  },
  async read() {
    const asking = client({ logger })
    await asking.prompt('Go').call().content()
    for await (const _piece of asking.prompt('Go').stream().content());
    await Promise.all([1, 2, 3].map(() => asking.prompt('Go').call().result()))
    await new Response(asking.prompt('Go').stream().toReadableStream()).text()
    await asking.prompt('Go').stream().toReadableStream().cancel()
    await asking.prompt('Go').call().content().catch(() => {}) // prettier-ignore
  },
  async 'read late'() {
    const asking = client({ logger })
    const late = asking.prompt('Go').call()
    const content = asking.prompt('Go').stream().content()
    for (let n = 0; n < 3; n++) await asking.prompt('Go').call().content()
    await collect(() => {})
    await late.content()
    for await (const _piece of content);
    await collect(() => {})
  },
  async 'returned by an async function'() {
    const made = client().prompt('Go').call()
    const run = await (async (): Promise<CallRun> => made)()
    console.log(run === made, (run as { then?: unknown }).then)
    await run.content()
  },
  async 'aborted before it was read'() {
    const request = client({ logger }).prompt('Go').signal(AbortSignal.abort())
    await request.call().content().catch(() => console.log('rejected')) // prettier-ignore
  },
  async collected() {
    const asking = client({ logger })
    await collect(() => {
      asking.prompt('Go').call()
      // The newest is kept until there is a newer one.
      void asking.prompt('Go').call().content()
    })
    console.log('still running')
  },
}

for (const name of process.argv.slice(2)) await CASES[name]!()
