import type { z } from 'zod'
import { AppError } from '../../../domain/error.ts'
import type { ActionContext } from '../../action.ts'

/** What the preflight of this very call found. Throws approval.stale where it found something else, or was not run. */
export function readGuard<Shape extends z.ZodType>(shape: Shape, { guard }: ActionContext): z.output<Shape> {
  const parsed = shape.safeParse(guard)
  if (parsed.success) return parsed.data
  throw new AppError('approval.stale', {
    message: 'this call was not looked at before it ran; nothing was written',
    userMessage: 'What you were asked about does not fit what was about to run. Nothing was written.',
  })
}

export function stale(path: string): AppError {
  const message = `"${path}" changed since you were asked; nothing was written`
  return new AppError('approval.stale', {
    message: `${message}. Look at it as it is now and ask again.`,
    userMessage: `${message}. The agent can look at it again and ask anew.`,
    data: { path },
  })
}
