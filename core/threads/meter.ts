import type { Budget, BudgetCheck, BudgetScope } from '../domain/budget.ts'
import type { DayBudget } from '../domain/project.ts'
import type { Settings } from '../domain/settings.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Meter, Need, Reservation } from '../orchestrator/orchestrator.ts'
import type { Store } from '../store/store.ts'

export interface MetersParts {
  readonly store: Store
  readonly settings: () => Settings
  readonly now: () => number
  /** Of the local day that holds a moment. Epoch ms. */
  readonly midnightBefore: (at: number) => number
}

/** What was used, all over; every thread's meter draws from it (RULES 12). */
export interface Meters {
  /** Of a root thread and all its children: the same one for each of them, until the root is let go. */
  of(thread: ThreadHeader): Meter
  /** Today, of everything and of one project. */
  today(projectId?: string): { readonly tokens: number; readonly usd: number }
  /** Why nothing more can be asked for today, in a sentence; null where something can. */
  usedUp(projectId: string): string | null
  letGo(rootId: string): void
}

interface Amount {
  tokens: number
  usd: number
}

/** Share of a limit from which on it is told. */
const warnShare = 0.8
/** No day is shorter, whatever the clocks do in it: until then nobody need ask the calendar, which takes a while. */
const surelySameDayMs = 22 * 3_600_000

export function createMeters(parts: MetersParts): Meters {
  const { store, settings, now } = parts
  const roots = new Map<string, Meter>()
  let day = { from: 0, total: none(), projects: new Map<string, Amount>() }
  /** Of calls under way in every thread: a day's budget is one for all of them. */
  const underWay = { total: none(), projects: new Map<string, Amount>() }

  /** What the index holds of today; what runs now is added as it is settled. */
  function currentDay() {
    const at = now()
    if (at >= day.from && at < day.from + surelySameDayMs) return day
    const from = parts.midnightBefore(at)
    if (day.from === from) return day
    day = { from, total: none(), projects: new Map() }
    for (const { threadId, tokens, usd } of store.calls.usedSince(from)) {
      const projectId = store.threads.get(threadId)?.projectId ?? ''
      for (const amount of [day.total, projectAmount(projectId)]) add(amount, { tokens, usd })
    }
    return day
  }

  const projectAmount = (projectId: string) => amountOf(day.projects, projectId)

  /** Of the day, all over and in the project; only what has a limit. */
  function dayChecks(projectId: string, need: Pick<Need, 'tokens' | 'usd'>): readonly BudgetCheck[] {
    const { project, day: daily } = settings().budgets
    const own = store.projects.get(projectId)?.dayBudget
    const given = [project, daily, own ?? project]
    if (given.every((each) => each.tokens === null && each.usd === null)) return []
    const today = currentDay()
    const scopes = [
      ['project', projectAmount(projectId), amountOf(underWay.projects, projectId), lower(project, own ?? project)],
      ['day', today.total, underWay.total, daily],
    ] as const
    return scopes.flatMap(([scope, amount, held, limit]) => {
      const bounds = { ...limit, steps: null, ms: null }
      return checkScope(scope, { used: amount, reserved: held, need, limit: bounds })
    })
  }

  function createRootMeter(thread: ThreadHeader): Meter {
    const { projectId, rootId } = thread
    const root = store.threads.get(rootId) ?? thread
    const used = none()
    for (const each of store.threads.ofRoot(rootId)) {
      add(used, { tokens: each.inputTokens + each.outputTokens, usd: each.usd })
    }
    const reserved = none()
    /** Gives back what was reserved and never settled: a call that failed before it went out. */
    const open = new Set<() => boolean>()
    let isOver = false

    function checksOf(need: Need): readonly BudgetCheck[] {
      const limit = { ...root.budget, steps: null, ms: null }
      const checks = checkScope('thread', { used, reserved, need, limit })
      return [...checks, ...dayChecks(projectId, need)]
    }

    return {
      reserve(need): Reservation {
        if (isOver) return { ok: false, checks: [], reason: 'the thread has ended' }
        const checks = checksOf(need)
        const over = checks.find((check) => check.verdict === 'stop')
        if (over !== undefined) return { ok: false, checks, reason: reasonOf(over) }
        const priced = checks.some((check) => check.kind === 'usd')
        if (priced && need.usd === null) return { ok: false, checks, reason: noPrice(need.model) }
        const held = { tokens: need.tokens, usd: need.usd ?? 0 }
        const back = { tokens: -held.tokens, usd: -held.usd }
        const holders = [reserved, underWay.total, amountOf(underWay.projects, projectId)]
        for (const amount of holders) add(amount, held)
        let isOpen = true
        const release = () => {
          if (!isOpen) return false
          isOpen = false
          open.delete(release)
          for (const amount of holders) add(amount, back)
          return true
        }
        open.add(release)
        return {
          ok: true,
          checks,
          settle(spent) {
            if (!release()) return
            currentDay()
            for (const amount of [used, day.total, projectAmount(projectId)]) add(amount, spent)
          },
        }
      },
      get tokensLeft() {
        const { tokens } = root.budget
        return tokens === null ? null : Math.max(0, tokens - used.tokens - reserved.tokens)
      },
      end() {
        isOver = true
        for (const release of open) release()
      },
    }
  }

  return {
    of(thread) {
      const known = roots.get(thread.rootId) ?? createRootMeter(thread)
      roots.set(thread.rootId, known)
      return known
    },
    today(projectId) {
      const today = currentDay()
      return projectId === undefined ? { ...today.total } : { ...projectAmount(projectId) }
    },
    usedUp(projectId) {
      const over = dayChecks(projectId, { tokens: 0, usd: 0 }).find(({ verdict }) => verdict === 'stop')
      return over === undefined ? null : `the budget of ${scopeWords[over.scope]} is used up`
    },
    letGo(rootId) {
      roots.get(rootId)?.end()
      roots.delete(rootId)
    },
  }
}

/** Of two limits the one that is reached first. */
function lower(a: DayBudget, b: DayBudget): DayBudget {
  const least = (x: number | null, y: number | null) => (x === null ? y : y === null ? x : Math.min(x, y))
  return { tokens: least(a.tokens, b.tokens), usd: least(a.usd, b.usd) }
}

function amountOf(amounts: Map<string, Amount>, projectId: string): Amount {
  const known = amounts.get(projectId) ?? none()
  amounts.set(projectId, known)
  return known
}

const none = (): Amount => ({ tokens: 0, usd: 0 })

function add(amount: Amount, more: { readonly tokens: number; readonly usd: number }): void {
  amount.tokens += more.tokens
  amount.usd += more.usd
}

interface Scoped {
  readonly used: Amount
  readonly reserved: Amount
  readonly need: Pick<Need, 'tokens' | 'usd'>
  readonly limit: Budget
}

/** Only what has a limit. What is used up already stops; so does a reservation that would go over. */
function checkScope(scope: BudgetScope, { used, reserved, need, limit }: Scoped): readonly BudgetCheck[] {
  const checks: BudgetCheck[] = []
  for (const kind of ['tokens', 'usd'] as const) {
    const most = limit[kind]
    if (most === null) continue
    const taken = used[kind] + reserved[kind]
    const wanted = need[kind] ?? 0
    const verdict = taken >= most || taken + wanted > most ? 'stop' : taken + wanted >= most * warnShare ? 'warn' : 'ok'
    checks.push({ scope, kind, used: taken, reserved: wanted, limit: most, verdict })
  }
  return checks
}

const scopeWords = { thread: 'this thread', project: "this project's day", day: 'today' } as const

function reasonOf({ scope, kind, used, reserved, limit }: BudgetCheck): string {
  const figure = (value: number) => (kind === 'usd' ? `$${value.toFixed(4)}` : Math.round(value).toLocaleString('en'))
  const unit = kind === 'usd' ? '' : ` ${kind}`
  return `the budget of ${scopeWords[scope]} is used up: ${figure(used)} of ${figure(limit)}${unit} used, the next call needs about ${figure(reserved)}`
}

function noPrice(model: string): string {
  return `there is a limit in USD, but no price is known for ${model}: set its price in Settings → Models, or take the limit away`
}
