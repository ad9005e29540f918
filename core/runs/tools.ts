import { canonicalActionName } from '../domain/action.ts'

/** What every run has, whatever its skill asks for. Source: RULES 19. */
export const systemActions = [
  ...['load_skill', 'skill_search', 'memory_search', 'memory_read', 'memory_write'],
  ...['time', 'json', 'echo', 'emit_canvas', 'message'],
] as const

/** Why an action that a skill asks for is not there for it; null where it is. */
export type ConnectionGate = (action: string) => string | null

export interface FrozenTools {
  /** In the order asked, each once. */
  readonly actions: readonly string[]
  /** What was asked for and is withheld, with the reason. */
  readonly withheld: readonly { readonly name: string; readonly reason: string }[]
}

/** The manifest's tools and the system's, without those that are not connected: settled when a run begins. Pure. Source: seed L. */
export function frozenTools(
  asked: readonly string[],
  { known, gate }: { readonly known: readonly string[]; readonly gate: ConnectionGate },
): FrozenTools {
  const names = new Map(known.map((name) => [canonicalActionName(name), name]))
  const actions = new Set<string>()
  const withheld = new Map<string, string>()
  for (const wanted of [...asked, ...systemActions]) {
    const name = names.get(canonicalActionName(wanted.trim()))
    const reason = name === undefined ? 'there is no such action' : gate(name)
    if (name !== undefined && reason === null) actions.add(name)
    else if (asked.includes(wanted)) withheld.set(name ?? wanted, reason ?? '')
  }
  return { actions: [...actions], withheld: [...withheld].map(([name, reason]) => ({ name, reason })) }
}
