/**
 * What a thread starts with: the file itself. In a checkout of the repository that is TypeScript, which threads of Node 20
 * do not read, whatever loader the process has; so such a thread registers one for itself first.
 */

type ThreadStart = readonly [file: URL | string, how: { readonly eval?: boolean }]

export function threadStart(file: URL): ThreadStart {
  const { features } = process as { features: { readonly typescript?: unknown } }
  if (!file.pathname.endsWith('.ts') || features.typescript) return [file, {}]
  const loader = import.meta.resolve('tsx/esm/api')
  const [from, then] = [loader, file.href].map((each) => JSON.stringify(each))
  return [`import(${from}).then(({ register }) => (register(), import(${then})))`, { eval: true }]
}
