import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import { proposableSettings, settingText } from '../setting-changes.ts'
import { hasReadForeign } from '../sound-threads.ts'
import {
  type ProposalParts,
  proposing,
  reasonText,
  sourceOf,
  summaryOf,
  threadNumbers,
  threadsOf,
  told,
} from './proposing.ts'

/** Another value for one setting, with what it is before: only a decision changes it. */
export function createSettingProposeAction({ store, book, settings }: Omit<ProposalParts, 'memory'>): Action {
  return defineAction({
    ...proposing,
    name: 'setting_propose',
    description: `Proposes another value for one setting: ${proposableSettings.join(', ')}. The user decides.`,
    parameters: z.strictObject({
      setting: z.string().min(1).max(100),
      after: z.union([z.number(), z.boolean(), z.null()]),
      threads: threadNumbers,
      reason: reasonText,
    }),
    summarize: ({ setting }) => summaryOf(setting),
    run({ setting, after, threads, reason }, { projectId, threadId, sources }) {
      const seen = threadsOf(store, projectId, threads)
      const item = book.propose({
        ...{ projectId, kind: 'setting', topic: setting, text: settingText(settings.current, setting, after) },
        ...{ reason, threadId, sources: seen.map((thread) => sourceOf(thread, reason)) },
        isUntrusted: sources.length > 0 || seen.some((thread) => hasReadForeign(store, thread)),
      })
      return told(item)
    },
  })
}
