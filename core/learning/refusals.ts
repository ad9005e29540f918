import { AppError } from '../domain/error.ts'
import type { LearntItem } from '../domain/learnt.ts'

export function notFound(id: string): AppError {
  return new AppError('learn.not_found', {
    message: `nothing learnt has the id ${id}`,
    userMessage: 'There is nothing learnt with that id. Nothing was changed. Look at the list of what was learnt.',
  })
}

export function alreadyDecided({ id, state }: LearntItem): AppError {
  return new AppError('learn.decided', {
    message: `${id} is ${state}`,
    userMessage: `This was decided before: it is ${state}. The first decision counts; nothing was changed.`,
    data: { state },
  })
}

export function tooLate({ id, expiresAt }: LearntItem): AppError {
  return new AppError('learn.expired', {
    message: `${id} expired`,
    userMessage: 'This proposal has expired, which means no. Nothing was changed.',
    data: { expiredAt: expiresAt },
  })
}

export function notWhatWasSeen({ id }: LearntItem): AppError {
  return new AppError('learn.stale', {
    message: `the text of ${id} is not what was looked at`,
    userMessage: 'The proposal is not the text that you saw. Nothing was decided. Look at it again.',
  })
}

/** `title`: as a person reads the setting's name. */
export function settingMoved(setting: string, title: string): AppError {
  return new AppError('learn.stale', {
    message: `${setting} is not what it was when this was proposed`,
    userMessage: `“${title}” was changed meanwhile. Nothing was changed now. Change it yourself under Settings if you still want to.`,
  })
}

export function notInForce({ id, state }: Pick<LearntItem, 'id' | 'state'>): AppError {
  return new AppError('learn.decided', {
    message: `${id} is ${state}, not live`,
    userMessage: `There is nothing to take back: this is ${state}, not in force. Nothing was changed.`,
    data: { state },
  })
}

export function tooMany(what: string, most: number): AppError {
  return new AppError('learn.full', {
    message: `there are ${most} ${what} already`,
    userMessage: `There are ${most} ${what} in this project, and no more are taken. Nothing was changed. Take one back, or decide on what waits, first.`,
    data: { most },
  })
}

export function notTaken(why: string): AppError {
  return new AppError('learn.invalid', {
    message: why,
    userMessage: `${why} Nothing was changed.`,
  })
}

/** What the book does not take is answered, and keeps nothing else of the same run from being proposed. */
export function orRefusal<Taken>(propose: () => Taken): Taken | AppError {
  try {
    return propose()
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('learn.')) return error
    throw error
  }
}
