import type { Integration, Integrations } from '../../../core/domain/integration.ts'
import { serviceTitle } from '../../format/service-names.ts'
import { integrationParts } from '../../routes.ts'

export interface Groups {
  readonly keyed: readonly Integration[]
  readonly open: readonly Integration[]
}

/** Those that need a credential, then those that need none, each by title. */
export function groupsOf({ integrations }: Integrations): Groups {
  const sorted = [...integrations].sort((a, b) => serviceTitle(a.skill).localeCompare(serviceTitle(b.skill), 'en'))
  return {
    keyed: sorted.filter(({ credentials }) => credentials.length > 0),
    open: sorted.filter(({ credentials }) => credentials.length === 0),
  }
}

/** The entries of the list in the order in which they stand there. */
export function partsOf(all: Integrations): readonly string[] {
  const { keyed, open } = groupsOf(all)
  const problems = all.problems.length === 0 ? [] : [integrationParts.problems]
  return [...[...keyed, ...open].map(({ skill }) => skill), ...problems, integrationParts.hosts]
}
