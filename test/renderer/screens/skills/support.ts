import { confidenceOf } from '../../../../core/domain/confidence.ts'
import type {
  SkillDetail,
  SkillHeader,
  SkillProblem,
  SkillUse,
  SkillVersionHeader,
} from '../../../../core/domain/skill.ts'
import { noon } from '../../support.ts'

export function skill(patch: Partial<SkillHeader> = {}): SkillHeader {
  return {
    ...{ id: 'skl_1', name: 'docs-sweep', projectId: null, state: 'active', version: 4 },
    description: 'Finds every page that describes an old name.',
    ...{ source: 'extracted', trust: 'trusted', place: 'thread #87', confidence: confidenceOf(11, 11) },
    ...{ uses: 42, successes: 34, lastUsedAt: noon, tokens: 1_450, missing: [] },
    ...patch,
  }
}

export function version(patch: Partial<SkillVersionHeader> = {}): SkillVersionHeader {
  return {
    ...{ version: 4, parent: 2, state: 'live', sha256: 'a'.repeat(64), source: 'extracted', trust: 'trusted' },
    ...{ place: 'thread #87', reason: 'Asks before it touches anchors.', threadId: 't1', createdAt: noon },
    ...{ confidence: confidenceOf(11, 11), rolledBack: null },
    ...patch,
  }
}

export function detail(patch: Partial<SkillDetail> = {}): SkillDetail {
  return {
    ...skill(),
    ...{ content: '---\nname: docs-sweep\n---\n# Sweep\n', body: '# Sweep\n', sha256: 'a'.repeat(64) },
    ...{ keywords: ['page'], excludeKeywords: [], patterns: [], tags: ['docs'], snippets: [], actions: [] },
    ...{ isOnlyByName: false, file: null, resources: [], versions: [version()], diagnostics: [] },
    ...patch,
  }
}

export function use(patch: Partial<SkillUse> = {}): SkillUse {
  return {
    ...{ skillId: 'skl_1', version: 1, threadId: 't1', threadNumber: 1, threadTitle: 'Docs', at: noon },
    ...{ how: 'selected', outcome: 'success', reason: '' },
    ...patch,
  }
}

export function problem(patch: Partial<SkillProblem> = {}): SkillProblem {
  return {
    ...{ file: '/home/mara/.agents/skills/notes/SKILL.md', place: '~/.agents/skills', kind: 'rejected' },
    diagnostics: [{ code: 'invalid-yaml', line: 3, message: 'A value with a colon needs quotes.' }],
    ...{ sha256: 'b'.repeat(64), mend: null },
    ...patch,
  }
}
