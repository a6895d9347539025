/** Runs the client half of MCP's conformance suite, where nothing outside can reach the servers that it starts. */
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { toolchain } from '../toolchains.ts'

export interface ScenarioResult {
  readonly name: string
  /** Whether the specification asks for it; extensions and newer scenarios are run, too. */
  readonly isScored: boolean
  readonly passed: number
  readonly failed: number
}

/** The suite listens on all interfaces, so that it runs in a network of its own. Undefined: there can be none. */
export function ownNetwork(): readonly string[] | undefined {
  return [
    ['unshare', '-n'],
    ['unshare', '-rn'],
  ].find(([command, ...args]) => {
    try {
      execFileSync(command!, [...args, 'sh', '-c', 'ip link set lo up'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}

export const SUITE = ['node22/bin/node', '@modelcontextprotocol/conformance/dist/index.js'] as const

export async function runClientSuite(
  program: string,
  requirements: string,
): Promise<readonly ScenarioResult[]> {
  const [command, ...args] = ownNetwork()!
  const suite = [
    ...SUITE.map(toolchain),
    'client',
    ...['--command', `${process.execPath} ${program}`],
    ...['--requirements', requirements],
    ...['--timeout', '180000'],
  ]
  const quoted = suite.map((word) => `'${word}'`).join(' ')
  const inside = ['sh', '-c', `ip link set lo up && ${quoted}`]
  const { stdout, stderr } = await promisify(execFile)(command!, [...args, ...inside], {
    maxBuffer: 2 ** 27,
  }).catch((failed: { readonly stdout: string; readonly stderr: string }) => failed)
  return readSummary(`${stdout}\n${stderr}`)
}

function readSummary(output: string): readonly ScenarioResult[] {
  const unscored = new Set([...output.matchAll(/^ +[✓✗] (\S+) \(/gm)].map(([, name]) => name!))
  const lines = output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)
  return [...lines].map(([, name, passed, failed]) => ({
    name: name!,
    isScored: !unscored.has(name!),
    passed: Number(passed),
    failed: Number(failed),
  }))
}
