import type { NodePlan } from './plan.ts'

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'check',
  POST: 'create',
  PUT: 'set',
  PATCH: 'update',
  DELETE: 'delete',
}

/**
 * A verb and a noun of what it does last, or of what it changes: `update_issues`; never one of the names that are taken: a function
 * of an action's name would call itself. Source: learning 3.13.
 */
export function functionName(nodes: readonly NodePlan[], taken: ReadonlySet<string>): string {
  const name = plainName(nodes)
  for (let number = 1; ; number += 1) {
    const possible = [name, `do_${name}`][number - 1] ?? `${name}_${number - 1}`
    if (!taken.has(possible)) return possible
  }
}

function plainName(nodes: readonly NodePlan[]): string {
  const calls = nodes.flatMap((node) => node.calls.map((plan, at) => ({ plan, node, at })))
  const strongest =
    calls.findLast(({ plan }) => plan.isWrite) ?? calls.findLast(({ plan }) => plan.action === 'http') ?? calls.at(-1)
  if (strongest === undefined) return 'do_nothing'
  const { shape, action } = strongest.plan
  const verb = action === 'http' ? (verbs[String(shape.method)] ?? 'call') : (action.split('_')[0] ?? action)
  const others = calls.slice(0, calls.indexOf(strongest)).reverse()
  const noun = [strongest, ...others].map(({ node, at }) => nounOf(node, at)).find((word) => word !== undefined)
  const name = `${verb}_${noun ?? action.split('_').at(-1) ?? 'it'}`
    .replace(/\W+/g, '_')
    .toLowerCase()
    .slice(0, 40)
    .replace(/_+$/, '')
  return /^[a-z]/.test(name) ? name : `do_${name}`.slice(0, 40)
}

/** The last word of its paths that all samples share: no name of one thing. */
function nounOf({ node }: NodePlan, at: number): string | undefined {
  const samples = node.threads.flatMap((iterations) => iterations.flatMap((calls) => calls[at] ?? []))
  const words = samples.map(({ args }) => {
    const path = String(args.url ?? args.path ?? args.to ?? args.from ?? '').replace(/^\w+:\/\/[^/]*/, '')
    return path.split('/').filter((piece) => /^[a-z][a-z_-]+$/i.test(piece))
  })
  const [first = [], ...others] = words
  return first.findLast((word) => others.every((each) => each.includes(word)))
}

/** The name of the skill: that of its function, with a number where it is taken. */
export function skillName(functionText: string, taken: ReadonlySet<string>): string {
  const base = functionText.replaceAll('_', '-').replace(/^-+|-+$/g, '')
  if (!taken.has(base)) return base
  for (let number = 2; ; number += 1) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`
}

/** An action as code calls it. */
export function pythonNameOf(action: string): string {
  return action.replaceAll('-', '_')
}
