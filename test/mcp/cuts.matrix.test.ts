/**
 * Connections that are cut in the middle of calls, over both transports, at points that a seed chooses. What ran is read
 * from a ledger that the servers keep: nothing runs twice, nothing hangs, nothing stays behind, and a call whose
 * connection was cut says so. `TOOLWRIGHT_MCP_CUTS` says how often, by default 200 times; `TOOLWRIGHT_MCP_SEED` where.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { McpError } from 'toolwright'
import { afterAll, expect, test } from 'vitest'
import { mcpTools, type McpEra, type McpServer } from '@toolwright/mcp'
import { cuttingProxy, type Cut } from './cutting-proxy.ts'
import { descendantsOf, isAlive } from './descendants.ts'
import { httpServer } from './http-server.ts'

const CUTS = Number(process.env.TOOLWRIGHT_MCP_CUTS ?? 200)
const SEED = Number(process.env.TOOLWRIGHT_MCP_SEED ?? 20_260_728)
const LANES = 4
const HANG_MS = 120_000

const folder = mkdtempSync(join(tmpdir(), 'toolwright-cuts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A linear congruential generator: the same seed cuts at the same points. */
function chance(seed: number): <T>(among: readonly T[]) => T {
  let state = seed >>> 0
  return (among) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return among[Math.floor((state / 2 ** 32) * among.length)]!
  }
}

interface Lane {
  readonly server: McpServer
  readonly era: McpEra
  /** Lines of what ran, `pay 1` or `look 1`. */
  ran(): readonly string[]
  close(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('ledger-server.mjs', import.meta.url))

function stdioLane(index: number): Promise<Lane> {
  const ledger = join(folder, `ledger-${index}`)
  writeFileSync(ledger, '')
  return Promise.resolve({
    server: { command: process.execPath, args: [PROGRAM], env: { LEDGER: ledger } },
    era: 'legacy',
    ran: () =>
      readFileSync(ledger, 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('try:')),
    close: () => Promise.resolve(),
  })
}

async function httpLane(index: number): Promise<Lane> {
  const ran: string[] = []
  const tried = new Set<string>()
  const inputSchema = { type: 'object', properties: { id: { type: 'string' }, cut: {} } }
  const server = await httpServer({
    tools: [
      { name: 'pay', inputSchema },
      { name: 'look', inputSchema, annotations: { readOnlyHint: true } },
    ],
    call: ({ name, arguments: input }) => {
      ran.push(`${name} ${String(input!.id)}`)
      return { content: [{ type: 'text', text: `${name} ${String(input!.id)}` }] }
    },
  })
  const proxy = await cuttingProxy(server.url, ({ name, arguments: input }) => {
    const { id, cut } = input as { readonly id: string; readonly cut?: Cut }
    if (name === 'look' && tried.has(id)) return undefined
    tried.add(id)
    return cut
  })
  return {
    server: { url: proxy.url },
    era: index % 2 === 0 ? 'modern' : 'legacy',
    ran: () => ran,
    close: async () => {
      await proxy.close()
      await server.close()
    },
  }
}

interface Tally {
  cut: number
  finished: number
  retried: number
  readonly wrong: string[]
}

/** Pays and looks until the lane has had its cuts; every call is settled before the next. */
async function drive(
  lane: Lane,
  {
    cuts,
    points,
    seed,
  }: { readonly cuts: number; readonly points: readonly string[]; readonly seed: number },
  tally: Tally,
): Promise<void> {
  const pick = chance(seed)
  await using tools = mcpTools(lane.server, { trust: 'trusted', era: lane.era })
  const [pay, look] = await tools.toolCallbacks()
  let last: string | undefined
  for (let at = 0; at < cuts; at++) {
    const isLook = at % 5 === 4
    const cut = pick(points)
    const input = JSON.stringify({ id: `${at}`, cut })
    const outcome = await settled((isLook ? look! : pay!).call(input))
    const name = `${isLook ? 'look' : 'pay'} ${at}`
    const effects = lane.ran().filter((line) => line === name).length
    const isFinished = outcome === name
    if (isFinished) tally.finished++
    else tally.cut++
    if (isLook && isFinished && cut !== 'late') tally.retried++
    // A program that died after its last answer may take the next call with it: that one is cut twice then.
    const mayBeCutTwice = isLook && last === 'late'
    last = cut
    const isRight = isLook
      ? isFinished || (mayBeCutTwice && outcome === 'mcp-cut')
      : effects <= 1 && (isFinished ? effects === 1 : outcome === 'mcp-cut')
    if (!isRight) tally.wrong.push(`${name}, cut ${cut}: ${outcome}, ${effects} effects`)
  }
}

/** What a call said, the code of its error, or that it hung. */
async function settled(call: Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('hung'), HANG_MS)
  })
  const said = call.then(String, (thrown: unknown) =>
    thrown instanceof McpError ? thrown.code : String(thrown),
  )
  return Promise.race([said, hung]).finally(() => clearTimeout(timer))
}

/** Payments that ran twice, also those that ran after their caller had left. */
const doubledIn = (ran: readonly string[]): readonly string[] =>
  ran.filter((line, index) => line.startsWith('pay') && ran.indexOf(line) !== index)

test.each([
  ['stdio', stdioLane, ['before', 'after', 'answer', 'late']],
  ['HTTP', httpLane, ['before', 'sent', 'head', 'body']],
] as const)(
  '%s: connections cut during calls',
  async (transport, laneOf, points) => {
    const tally: Tally = { cut: 0, finished: 0, retried: 0, wrong: [] }
    const before = new Set(descendantsOf())
    const lanes = await Promise.all(Array.from({ length: LANES }, (_, index) => laneOf(index)))
    const cuts = Math.ceil(CUTS / 2 / LANES)
    await Promise.all(
      lanes.map((lane, index) => drive(lane, { cuts, points, seed: SEED + index }, tally)),
    )
    const doubled = lanes.flatMap((lane) => doubledIn(lane.ran()))
    await Promise.all(lanes.map((lane) => lane.close()))
    const left = descendantsOf().filter((pid) => !before.has(pid) && isAlive(pid))
    console.log(
      `${transport}: ${cuts * LANES} connections cut (seed ${SEED}): ${tally.cut} calls said so, ${tally.finished} finished, ${tally.retried} of them sent again; ${doubled.length} effects doubled, ${tally.wrong.length} wrong, ${left.length} processes left`,
    )
    expect(tally.wrong).toEqual([])
    expect(doubled).toEqual([])
    expect(left).toEqual([])
    expect(tally.retried).toBeGreaterThan(0)
  },
  600_000,
)
