import { AppError, type ErrorBody, errorBody } from '../domain/error.ts'
import type { Redaction } from '../domain/leaks/mark.ts'
import { limits } from '../domain/limits.ts'
import { boundText } from '../domain/text.ts'

/** Why a call was not run, or did not end well: each is a result that the model reads. */

export function unknownAction(name: string, known: readonly string[]): AppError {
  return new AppError('action.unknown', {
    message: `there is no action ${name}; there are: ${known.join(', ')}`,
    userMessage: `The model asked for an action that does not exist (${name}). Nothing was done.`,
  })
}

export function unreadableArguments(why: string): AppError {
  const cut = why === 'E_TOOL_ARGS_TRUNCATED'
  return new AppError('action.args', {
    message: `the arguments ${cut ? 'were cut off' : 'are not valid JSON'}; nothing was run. Send the whole call again.`,
    userMessage: 'The call arrived incomplete, so it was not run.',
    data: { why },
  })
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

export function wrongArguments(name: string, issues: readonly Issue[]): AppError {
  const text = issues.map((issue) => `${issue.path.map(String).join('.') || 'arguments'}: ${issue.message}`).join('; ')
  return new AppError('action.args', {
    message: text,
    userMessage: `The call of ${name} did not fit what it takes, so it was not run.`,
  })
}

/** Written back, the mark would destroy the secret that it stands for. */
export function redactedArguments(name: string, marks: readonly Redaction[]): AppError {
  const found = [...new Set(marks.map(({ what, where }) => `${what} in ${where}`))].slice(0, 5).join(', ')
  return new AppError('action.redacted', {
    message: `the arguments hold a mark where a secret was taken out (${found}); nothing was run. A secret cannot be passed on, and its mark must not take its place: leave that part as it is, change only what stands around it, or ask the user to do this by hand.`,
    userMessage: `A secret had been taken out of what ${name} was to use, and a mark stood in its place (${found}). It was not run, so nothing was overwritten. Do this step yourself, or keep the key in Settings → Models, where no model reads it.`,
    data: { marks: marks.slice(0, limits.redactionsListed).map(({ what, where }) => ({ what, where })) },
  })
}

export function tooMuchToPass(name: string, bytes: number): AppError {
  return new AppError('action.args', {
    message: `the arguments are ${bytes} bytes, over ${limits.actionArgumentBytes}; nothing was run. Pass less.`,
    userMessage: `The call of ${name} carried too much text, so it was not run.`,
  })
}

export function denied(reason: string): AppError {
  return new AppError('policy.denied', { message: reason, userMessage: `Refused: ${reason}. Nothing was done.` })
}

export function deniedByPerson(reason: string | null): AppError {
  return new AppError('approval.denied', {
    message: `the user said no${reason === null ? '' : `: ${reason}`}. Do not try the same call again; go on without it or ask.`,
    userMessage: `You said no${reason === null ? '' : `: ${reason}`}. Nothing was done.`,
  })
}

export function expiredApproval(): AppError {
  return new AppError('approval.expired', {
    message: 'nobody answered in time, which means no. It was not run.',
    userMessage: 'Nobody answered in time, which means no. Nothing was done.',
  })
}

export function staleApproval(): AppError {
  return new AppError('approval.stale', {
    message: 'what was approved is not this call any more; it was not run. Call it again to ask anew.',
    userMessage: 'The approval was for other arguments, or its lease has ended. Nothing was done.',
  })
}

export function tooOften(name: string, waitMs: number): AppError {
  return new AppError('action.rate_limited', {
    message: `${name} was called too often; it is free again in ${Math.ceil(waitMs / 1_000)} s`,
    userMessage: `${name} was called too often in a short time, so this call was not run.`,
    data: { waitMs },
    retryable: true,
  })
}

export function tooSlow(name: string, ms: number): AppError {
  return new AppError('action.timeout', {
    message: `${name} did not end within ${ms / 1000} s`,
    userMessage: `${name} took too long and was stopped. Ask for a smaller part.`,
    retryable: true,
  })
}

export function interrupted(): ErrorBody {
  return errorBody(
    new AppError('action.interrupted', {
      message:
        'Threadsmith ended while this ran. It may have happened; it was not run again. Check before repeating it.',
      userMessage: 'Threadsmith ended while this ran. It may have happened, so it was not run again.',
    }),
  )
}

/** What an action throws may quote anything: a file's text, a name of 400 kB. */
export function boundError(error: ErrorBody): ErrorBody {
  const { message, userMessage } = error
  return {
    ...error,
    message: boundText(message, limits.errorCharacters),
    userMessage: boundText(userMessage, limits.errorCharacters),
  }
}

export function usedUp(name: string): AppError {
  return denied(`the lease on ${name} has no uses left`)
}

export function refusedByHook(reason: string): AppError {
  return denied(`a hook of this engine says no: ${reason}`)
}
