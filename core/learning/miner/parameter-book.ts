import type { Source } from './source.ts'
import type { GoalForm } from './span.ts'

/** Something that differs between goals and that nothing else gives. */
export interface FoundParameter {
  /** Stands in the code until it is named: no text that is escaped can hold it. */
  readonly token: string
  /** By thread. */
  readonly values: readonly string[]
  /** The word before it, or the key of the argument that it was found for. */
  readonly usedAs: string
  /** It stands in no goal as it is used: the caller thinks of it. */
  readonly isFree: boolean
}

export interface ParameterBook {
  readonly found: readonly FoundParameter[]
  /** The Python of a value by thread, as the form makes it; the same values are the same parameter. */
  add(
    values: readonly string[],
    of: { readonly usedAs: string; readonly form?: GoalForm; readonly isFree?: boolean },
  ): string
  /** Those found so far, as sources by thread. */
  sources(): readonly Source[]
}

const mark = '\u0001'

export function createParameterBook(): ParameterBook {
  const found: FoundParameter[] = []
  return {
    found,
    add(values, { usedAs, form = '', isFree = false }) {
      const same = found.find((each) => each.values.every((value, at) => value === values[at]))
      const token = same?.token ?? `${mark}${found.length + 1}${mark}`
      if (same === undefined) found.push({ token, values, usedAs, isFree })
      return form === '' ? token : form === 'lower' ? `${token}.lower()` : `${token}.lower().replace(" ", "-")`
    },
    sources: () =>
      found.map(({ token, values }) => ({ code: token, values, leaf: `parameter ${token}`, form: '', needs: [] })),
  }
}

export function tokensIn(code: string): readonly string[] {
  return [...new Set(code.split(mark).filter((_, at) => at % 2 === 1))].map((id) => `${mark}${id}${mark}`)
}

/** `…/repos/` → `repo`, `Customer: ` → `customer`; '' where no word stands there. */
export function wordBefore(literal: string): string {
  const word = /(?:^|[^\p{L}])(\p{L}{3,20})[\s:=/]+$/u.exec(literal)?.[1]?.toLowerCase() ?? ''
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}
