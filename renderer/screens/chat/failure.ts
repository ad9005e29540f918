import type { ErrorBody } from '../../../core/domain/error.ts'
import type { Ending } from '../../state/model.ts'

/** What mends it most likely: that is the first button of the card. */
export type NextAct = 'retry' | 'key' | 'model' | 'window' | 'connect'

export interface FailureLook {
  readonly title: string
  readonly next: NextAct
}

/** How a thread's failure is called, and what is offered first. */
export function failureLook({
  error,
  partialText,
}: Pick<Ending, 'partialText'> & { readonly error: ErrorBody }): FailureLook {
  switch (error.code) {
    case 'model.auth':
      return { title: 'The key was not taken', next: 'key' }
    case 'secret.unavailable':
      return { title: 'The key cannot be read', next: 'key' }
    case 'http.credential':
      return { title: 'A service is not connected', next: 'connect' }
    case 'model.none':
      return { title: 'No model is connected', next: 'model' }
    case 'model.not_found':
      return { title: 'The server does not have this model', next: 'model' }
    case 'model.tools':
      return { title: 'This model takes no actions', next: 'model' }
    case 'model.template':
      return { title: 'The model’s template refused the conversation', next: 'model' }
    case 'model.overflow':
      return { title: 'The request does not fit the window', next: 'window' }
    case 'model.rate_limit':
      return { title: 'The provider asks to wait', next: 'retry' }
    case 'model.loading':
      return { title: 'The model is still loading', next: 'retry' }
    case 'model.connect':
      return { title: 'The server was not reached', next: 'retry' }
    default:
      return { title: otherTitle(error, partialText !== ''), next: 'retry' }
  }
}

function otherTitle({ code }: ErrorBody, hasText: boolean): string {
  if (!code.startsWith('model.')) return 'The thread could not go on'
  if (hasText) return 'The model stopped in mid-answer'
  return code === 'model.timeout' ? 'The model did not answer in time' : 'The model gave no answer'
}
