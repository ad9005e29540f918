import type { Candidate, CandidateCheck } from '../../domain/candidate.ts'
import { AppError } from '../../domain/error.ts'
import type { SkillDiagnostic } from '../../domain/skill.ts'

export function notFound(id: string): AppError {
  return new AppError('candidate.not_found', {
    message: `no candidate ${id}`,
    userMessage: `There is no candidate “${id}” in this store. Nothing was changed. Look at the list of approvals.`,
  })
}

export function noFile(path: string): AppError {
  return new AppError('skill.resource', {
    message: `no file ${path} beside the candidate`,
    userMessage: `There is no file "${path}" beside this candidate. Nothing was changed.`,
  })
}

export function alreadyDecided({ id, state }: Candidate): AppError {
  return new AppError('candidate.decided', {
    message: `candidate ${id} was ${state} before`,
    userMessage: `This candidate was ${state} already. The first decision counts; nothing was changed.`,
    data: { state },
  })
}

export function tooLate({ id, expiresAt }: Candidate): AppError {
  return new AppError('candidate.expired', {
    message: `candidate ${id} expired`,
    userMessage: 'This candidate has expired, which means no. Nothing was changed. The agent can propose it again.',
    data: { expiredAt: expiresAt },
  })
}

export function stale({ id, name }: Candidate): AppError {
  return new AppError('candidate.stale', {
    message: `candidate ${id} or the live version of ${name} is not what was looked at`,
    userMessage: `What is live of ${name}, or the candidate itself, has changed since you looked at it. Nothing was decided. Look at the new comparison.`,
    data: { candidateId: id },
  })
}

export function blocked({ name }: Candidate, failed: readonly CandidateCheck[]): AppError {
  const why = failed.map(({ title, detail }) => (detail === '' ? title : `${title}: ${detail}`)).join(' ')
  return new AppError('candidate.blocked', {
    message: `candidate for ${name} failed ${failed.map((each) => each.name).join(', ')}`,
    userMessage: `It cannot be approved as it is. ${why} Nothing was changed. Edit it, or reject it.`,
    data: { checks: failed.map((each) => each.name) },
  })
}

export function unreadable(diagnostics: readonly SkillDiagnostic[]): AppError {
  const [first] = diagnostics
  const where = first?.line == null ? '' : `Line ${first.line}: `
  return new AppError('skill.invalid', {
    message: `not a skill: ${first?.code ?? ''} ${first?.message ?? ''}`,
    userMessage: `That is no skill file. ${where}${first?.message ?? 'It cannot be read.'} Nothing was changed.`,
    data: { code: first?.code ?? '', line: first?.line ?? null },
  })
}

/** A skill's name is what decisions, keys and uses hold on to. */
export function renamed({ name }: Pick<Candidate, 'name'>, to: string): AppError {
  return new AppError('skill.invalid', {
    message: `the skill ${name} cannot become ${to}`,
    userMessage: `The name must stay ${name}; it says ${to} now. Nothing was changed. Propose it as a skill of its own.`,
  })
}
