import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import type { FixPatterns } from '../fix-patterns.ts'
import { summaryOf } from './proposing.ts'

/** What is known to mend which issue in this project, the best first. */
export function createFixPatternListAction(patterns: Pick<FixPatterns, 'list'>): Action {
  return defineAction({
    name: 'fix_pattern_list',
    description:
      'Known fixes, the best first: the issue each is for, the rule, and how often it helped. Look here before you propose.',
    parameters: z.strictObject({
      issue: z.string().max(200).default('').describe('A part of the issue: a class, an action, a code.'),
    }),
    effects: ['ReadLocal', 'Compute'],
    isIdempotent: true,
    source: () => null,
    summarize: ({ issue }) => summaryOf(issue),
    run({ issue }, { projectId }) {
      const wanted = issue.trim().toLowerCase()
      const found = patterns
        .list(projectId)
        .filter(({ issueClass, needs }) => [issueClass, ...needs].join(' ').includes(wanted))
      return {
        fixes: found.map(({ id, issueClass, needs, level, strategy, rule, successes, failures }) => ({
          ...{ id, issue: [issueClass, ...needs].join(' '), level, strategy, rule, successes, failures },
        })),
      }
    },
  })
}
