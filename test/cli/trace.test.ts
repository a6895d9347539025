/** `toolwright trace`: the tree, what is picked, what it costs, and files that are none. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ChatClient, clientTool, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { traceFile, type TraceLeg, type TraceRun } from 'toolwright/trace'
import { beforeEach, describe, expect, it } from 'vitest'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { traceFolder } from '../trace/trace-folder.ts'
import { runCommandHere } from './command-process.ts'
import { HOSTILE, writeTrace } from './trace-project.ts'

let folder: string
beforeEach(async () => {
  folder = traceFolder()
  await writeTrace(folder)
})

const trace = (...words: string[]) => runCommandHere({ words: ['trace', ...words], cwd: folder })

/** Times are in the order in which things were told; what matters here is what they are told of. */
const withoutTimes = (text: string): string => text.replace(/ {2}[\d.,]+ (?:ms|s)(?= |\n|$)/g, '')

describe('toolwright trace', () => {
  it('prints runs as trees, with tokens, errors and what waited for whom', async () => {
    const { stdout, stderr, exitCode } = await trace('run.jsonl')
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    const tree = withoutTimes(stdout)
    expect(tree).toMatch(
      /^run_1 {2}scripted large {2}done {2}2 h {2}2 rounds {2}2,700 in \+ 100 out tokens\n/,
    )
    expect(tree).toContain('├─ round 1\n')
    expect(tree).toMatch(
      /│ {2}├─ model large {2}first piece after [\d.]+ ms {2}1,200 in \+ 80 out tokens {2}tool-calls\n/,
    )
    expect(tree).toContain('│  ├─ tool weather (call_1)\n')
    expect(tree).toContain('│  ├─ tool boom (call_2)  failed: RangeError: out of range <script>')
    expect(tree).toMatch(
      /│ {2}├─ tool <script>.* \(call_3\) {2}not run: unknown-tool {2}there is no tool called /,
    )
    expect(tree).toContain('│  ├─ tool askLibrarian (call_4)\n│  │  └─ run_2  scripted small  done')
    expect(tree).toMatch(/│ {2}└─ waited [\d.]+ m?s for 4 calls, last for \w+ \(call_\d\)\n/)
    expect(tree).toContain('├─ pay (call_5) waits for approval\n')
    expect(tree).toMatch(/├─ resumed after 2 h of waiting for a decision\n/)
    expect(tree).toMatch(/\nrun_3 {2}scripted large {2}failed/)
    expect(tree).toContain('failed: TypeError: the line is dead')
  })

  it('says of calls that they were edited, why they did not run, and what they told on their way', async () => {
    const count = tool({
      name: 'count',
      approval: true,
      input: { type: 'object', properties: { to: { type: 'number' } }, required: ['to'] },
      execute(_input: unknown, context) {
        context.progress('half of it')
        context.progress({ level: 'log', text: 'x'.repeat(400) })
        return 'counted'
      },
    })
    const calls = [{ name: 'count', arguments: { to: 9 } }, { name: 'count' }]
    for (const content of [true, false]) {
      const observer = traceFile(join(folder, `told-${content}.jsonl`), { content })
      const client = ChatClient.create(scriptedModel([{ toolCalls: calls }, 'Done.']), {
        tools: [count],
        observer,
        ids: countingIds(),
      })
      const { state } = await client.prompt('Count').call().result()
      await client
        .resume(state!, { call_1: { edit: { to: 2 } } })
        .call()
        .result()
    }
    const told = withoutTimes((await trace('told-true.jsonl')).stdout)
    expect(told).toMatch(/tool count \(call_1\) {2}edited\n/)
    expect(told).toMatch(/tool count \(call_2\) {2}not run: tool-input {2}\w.*\n/)
    expect(told).toContain('tool-progress count  half of it\n')
    expect(told).toMatch(/tool-progress count {2}\{"level":"log","text":"x{270,290}…\n/)
    expect((await trace('told-true.jsonl', '--html', 'told.html')).exitCode).toBe(0)
    const page = readFileSync(join(folder, 'told.html'), 'utf8')
    expect(page).toContain('>edited<')
    expect(page).toContain('{&quot;to&quot;:2}')
    const bare = withoutTimes((await trace('told-false.jsonl')).stdout)
    expect(bare).toMatch(/tool count \(call_1\) {2}edited\n/)
    expect(bare).toMatch(/tool count \(call_2\) {2}not run: tool-input\n/)
    expect(bare).toContain('tool-progress count\n')
  })

  it('shows nothing that a terminal obeys, and one line for each thing', async () => {
    const { stdout } = await trace('run.jsonl')
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^(?:run_|[│ ]*[├└]─ )/)
  })

  it('writes no page over the trace', async () => {
    const before = readFileSync(join(folder, 'run.jsonl'), 'utf8')
    for (const path of ['run.jsonl', './run.jsonl', join(folder, 'run.jsonl')]) {
      const { stderr, exitCode } = await trace('run.jsonl', '--html', path)
      expect({ stderr, exitCode }).toEqual({
        stderr: expect.stringContaining('would write the page over the trace') as string,
        exitCode: 2,
      })
    }
    expect(readFileSync(join(folder, 'run.jsonl'), 'utf8')).toBe(before)
  })

  it('shows what it cost', async () => {
    const prices = { currency: 'EUR', models: { large: { input: 1000, output: 10_000 } } }
    writeFileSync(join(folder, 'prices.json'), JSON.stringify(prices))
    const { stdout, stderr } = await trace('run.jsonl', '--prices', 'prices.json')
    // The librarian's model has no price.
    expect(stdout).toMatch(/^run_1 .* at least EUR 3\.70\n/)
    expect(stdout).toContain('EUR 2.00')
    expect(stdout).toMatch(/run_2 .* cost unknown\n/)
    expect(stderr).toBe('prices.json has no price for scripted/small.\n')
    writeFileSync(join(folder, 'prices.json'), '{"models":{"large":{"input":"1"}}}')
    const wrong = await trace('run.jsonl', '--prices', 'prices.json')
    expect(wrong.exitCode).toBe(2)
    expect(wrong.stderr).toContain('The price of "large", input, is "1"')
    expect((await trace('run.jsonl', '--prices', 'none.json')).exitCode).toBe(2)
  })

  it('prints what it cost as JSON, too', async () => {
    const prices = { currency: 'EUR', models: { large: { input: 1000, output: 10_000 } } }
    writeFileSync(join(folder, 'prices.json'), JSON.stringify(prices))
    const { stdout, stderr } = await trace('run.jsonl', '--json', '--prices', 'prices.json')
    expect(stderr).toContain('no price for scripted/small')
    const { currency, runs } = JSON.parse(stdout) as {
      currency: string
      runs: { cost: object; legs: TraceLeg[] }[]
    }
    expect(currency).toBe('EUR')
    expect(runs[0]!.cost).toEqual({ amount: 3.7, isPartial: true })
    expect(runs[0]!.legs[0]!.rounds[0]!.exchanges).toMatchObject([{ model: 'large', cost: 2 }])
    const calls = runs[0]!.legs[0]!.rounds[0]!.calls
    expect(calls.find(({ name }) => name === 'askLibrarian')!.runs).toMatchObject([
      { id: 'run_2', cost: { amount: 0, isPartial: true } },
    ])
  })

  it('takes one of --json and --html', async () => {
    expect(await trace('run.jsonl', '--json', '--html', 'both.html')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'toolwright: --json prints and --html writes a page. Give one of them.\n',
    })
    expect(existsSync(join(folder, 'both.html'))).toBe(false)
  })

  it('writes a page that is readable by its owner only, as the trace is', async () => {
    const page = join(folder, 'own.html')
    writeFileSync(page, 'an older page', { mode: 0o644 })
    for (const _ of ['over what is there', 'anew']) {
      expect(await trace('run.jsonl', '--html', 'own.html')).toMatchObject({ exitCode: 0 })
      if (process.platform !== 'win32') expect(statSync(page).mode & 0o777).toBe(0o600)
      expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/i)
      rmSync(page)
    }
  })

  it('picks a run by the beginning of its id, also one inside another', async () => {
    const inner = await trace('run.jsonl', '--run', 'run_2')
    expect(inner.stdout).toMatch(/^run_2 {2}scripted small/)
    expect(inner.stdout).not.toContain('run_1')
    expect(await trace('run.jsonl', '--run', 'run_9')).toMatchObject({
      exitCode: 2,
      stderr: 'toolwright: There is no run "run_9" in it. There are: run_1, run_2, run_3.\n',
    })
    const several = await trace('run.jsonl', '--run', 'run')
    expect(several.stderr).toContain('Several runs begin with "run": run_1, run_2, run_3.')
  })

  it('picks a run inside another with all its legs, though they stand in legs of the other', async () => {
    const observer = traceFile(join(folder, 'inner.jsonl'))
    const ids = countingIds()
    const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
    const inner = scriptedModel([
      { toolCalls: [{ name: 'pay' }], usage: { inputTokens: 10, outputTokens: 1 } },
      { text: 'Paid.', usage: { inputTokens: 7 } },
    ])
    const clerk = ChatClient.create(inner, { observer, ids, tools: [pay] })
    const outer = scriptedModel([
      { toolCalls: [{ name: 'clerk', arguments: { prompt: 'Pay' } }] },
      'Done.',
    ])
    const tools = [clientTool(clerk, { name: 'clerk', description: 'Pays' })]
    const client = ChatClient.create(outer, { observer, ids, tools })
    const { state, pending } = await client.prompt('Pay').call().result()
    await client
      .resume(state!, { [pending![0]!.callId]: { answer: { call_1: 'approve' } } })
      .call()
      .result()
    observer.close()
    const { stdout } = await trace('inner.jsonl', '--run', 'run_2')
    expect(stdout.match(/^run_2/gm)).toHaveLength(1)
    expect(withoutTimes(stdout)).toMatch(/^run_2 {2}scripted {2}done {2}2 rounds {2}17 in \+ 1 out/)
    const { runs } = JSON.parse(
      (await trace('inner.jsonl', '--json', '--run', 'run_2')).stdout,
    ) as {
      runs: TraceRun[]
    }
    expect(runs).toMatchObject([
      {
        id: 'run_2',
        status: 'done',
        usage: { inputTokens: 17, outputTokens: 1 },
        legs: [
          { phase: 'start', status: 'suspended' },
          { phase: 'resume', status: 'done', waitedMs: expect.any(Number) as number },
        ],
      },
    ])
  })

  it('prints what was read as JSON', async () => {
    const { stdout } = await trace('run.jsonl', '--json', '--run', 'run_3')
    expect(JSON.parse(stdout)).toMatchObject({
      content: true,
      runs: [{ id: 'run_3', status: 'failed' }],
    })
  })

  it.each([
    ['gone.jsonl', undefined, 'gone.jsonl: There is no such file. traceFile(path) writes one.'],
    ['notes.txt', 'my notes', 'This is no trace.'],
    ['empty.jsonl', '', 'This is no trace.'],
    [
      'new.jsonl',
      '{"type":"trace","version":7}\n',
      'It is a trace of version 7, and this is version 1.',
    ],
  ])('says what is wrong with %s', async (name, text, words) => {
    if (text !== undefined) writeFileSync(join(folder, name), text)
    const { stdout, stderr, exitCode } = await trace(name)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    expect(stderr).toContain(words)
  })

  it('shows what is whole of a torn file, and says what is left out', async () => {
    const path = join(folder, 'run.jsonl')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.slice(0, -30))
    const { stdout, stderr, exitCode } = await trace('run.jsonl')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\nrun_3 {2}scripted large {2}no end/)
    const last = text.trimEnd().split('\n').length
    expect(stderr).toBe(`Line ${last} is left out: It is cut off, or no JSON.\n`)
    expect((await trace('.')).stderr).toContain('This is a folder')
  })

  it('reads lines that hold what some readers take for an end of a line', async () => {
    const path = join(folder, 'run.jsonl')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll('{"type":"end",', '{"type":"end",\r"x":"\u2028\u2029",'))
    const { stdout, stderr } = await trace('run.jsonl')
    expect(stderr).toBe('')
    expect(stdout).not.toContain('no end')
  })

  it('writes a page that loads nothing and in which nothing is markup but its own', async () => {
    const { stdout, exitCode } = await trace('run.jsonl', '--html', 'trace.html')
    expect({ stdout, exitCode }).toEqual({ stdout: 'trace.html\n', exitCode: 0 })
    const page = readFileSync(join(folder, 'trace.html'), 'utf8')
    expect(page).toContain('default-src &#39;none&#39;')
    for (const line of HOSTILE.split('\n').filter((each) => each.includes('<')))
      expect(page).not.toContain(line)
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page).not.toMatch(/<(?:img|iframe|link|a|object|embed|form)\b/)
    expect(page).not.toMatch(/\s(?:on\w+|style|href)\s*=\s*["'][^"']*["']/)
    const nowhere = await trace('run.jsonl', '--html', 'no/such/folder.html')
    expect(nowhere).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--html') })
  })

  it('says once of what has no end that it has none', async () => {
    const lines = readFileSync(join(folder, 'run.jsonl'), 'utf8').split('\n')
    const at = lines.findIndex((line) => line.includes('"kind":"tool"'))
    writeFileSync(join(folder, 'open.jsonl'), `${lines.slice(0, at + 1).join('\n')}\n`)
    const { stdout } = await trace('open.jsonl')
    expect(stdout).toMatch(/tool weather \(call_1\) {2}no end\n/)
  })

  it('shows a run whose time is no date', async () => {
    const at = 1e20
    const lines = [
      { type: 'trace', version: 1, at, writer: 'w', content: false },
      { type: 'start', at, writer: 'w', id: 1, kind: 'client', name: 'm', runId: 'run_x' },
    ]
    writeFileSync(join(folder, 'odd.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
    expect((await trace('odd.jsonl')).stdout).toContain('run_x')
    const { stderr, exitCode } = await trace('odd.jsonl', '--html', 'odd.html')
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(readFileSync(join(folder, 'odd.html'), 'utf8')).toContain('run_x')
  })

  it('without content, nothing of it is in the tree or the page', async () => {
    const bare = traceFolder()
    await writeTrace(bare, { content: false })
    const run = (...words: string[]) => runCommandHere({ words: ['trace', ...words], cwd: bare })
    const { stdout } = await run('run.jsonl')
    expect(stdout).toContain('tool (not offered) (call_3)')
    await run('run.jsonl', '--html', 'trace.html')
    const page = readFileSync(join(bare, 'trace.html'), 'utf8')
    for (const text of [stdout, page]) expect(text).not.toMatch(/owned|Emma|Plan my day|brief/)
    expect(page).toContain('without content')
  })
})
