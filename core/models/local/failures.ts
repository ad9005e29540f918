import { AppError } from '../../domain/error.ts'
import { failure } from '../failure.ts'
import type { Ending } from './process.ts'

const kept = 'Your messages and all finished steps are kept.'

/** The error that the end of a request stands for. `title` is the model's. */
export function endingError(ending: Ending, title: string): AppError {
  if (ending.kind === 'died') return died(ending.reason, title)
  if (ending.kind === 'unloaded') return unloaded(title)
  switch (ending.reason) {
    case 'library':
      return libraryMissing(ending.message)
    case 'memory':
      return notLoaded(title, ending.message, 'There is not enough memory for it with this context.')
    case 'load':
      return notLoaded(title, ending.message, `The library says: “${line(ending.message)}”.`)
    case 'overflow':
      return overflow(title, ending)
    default:
      return computingFailed(title, ending.message)
  }
}

/** The optional part that runs models is not there, or does not run on this computer. */
export function libraryMissing(detail: string): AppError {
  return new AppError('local.library', {
    message: `node-llama-cpp: ${line(detail)}`,
    userMessage: `The part that runs models inside Threadsmith (node-llama-cpp) is not installed, or does not run on this computer. ${kept} Everything else works as before. Install it with “npm install --include=optional”, then start Threadsmith again, or use Ollama, LM Studio or a hosted model.`,
    data: { streamCode: 'E_PROVIDER_5XX' },
  })
}

/** The build for the graphics processor is there and was not used. `reason` is the library's, or the system's. */
export function gpuUnusable(kind: string, reason: string): AppError {
  return new AppError('local.library', {
    message: `${kind}: ${line(reason)}`,
    userMessage: `The build for the graphics processor (${kind}) is installed, but does not run on this computer: “${line(reason)}”. Models are computed by the processor instead, more slowly. Install or update the driver of the graphics card, then unload the model; or remove the build.`,
  })
}

function died(reason: string, title: string): AppError {
  return failure('model.provider', {
    message: `the process of ${title} ended: ${reason}`,
    userMessage: `The process that runs “${title}” ended unexpectedly (${reason}), so nothing of this answer was carried out. ${kept} Try again: the model is loaded anew. If it happens again, the memory was probably used up: set a smaller context in Settings → Models, or choose a smaller model.`,
    streamCode: 'E_PROVIDER_5XX',
    retryable: true,
  })
}

/** Somebody freed its memory while it was being used. */
function unloaded(title: string): AppError {
  return failure('model.provider', {
    message: `${title} was unloaded`,
    userMessage: `“${title}” was unloaded before it had answered, so nothing of this answer was carried out. ${kept} Try again: it is loaded anew.`,
    streamCode: 'E_PROVIDER_5XX',
    retryable: true,
  })
}

function notLoaded(title: string, message: string, why: string): AppError {
  return new AppError('local.load', {
    message: `${title} was not loaded: ${line(message)}`,
    userMessage: `“${title}” could not be loaded. ${why} ${kept} Set a smaller context in Settings → Models, choose another model, or download the file again.`,
    data: { streamCode: 'E_PROVIDER_5XX' },
    retryable: true,
  })
}

function overflow(
  title: string,
  { message, limit, got }: { message: string; limit?: number | undefined; got?: number | undefined },
) {
  return failure('model.overflow', {
    message,
    userMessage: `This conversation no longer fits into the context of “${title}”: it has ${got} tokens, and the context holds ${limit}. Nothing was cut off. ${kept} Start a new thread, or give the model a larger context in Settings → Models.`,
    streamCode: 'E_CONTEXT_LENGTH',
    retryable: false,
    data: { ...(limit !== undefined && { limit }), ...(got !== undefined && { got }) },
  })
}

function computingFailed(title: string, message: string): AppError {
  return failure('model.provider', {
    message: line(message),
    userMessage: `“${title}” failed while it was answering: “${line(message)}”. Nothing of that answer was carried out. ${kept} Try again.`,
    streamCode: 'E_PROVIDER_5XX',
    retryable: true,
  })
}

/** The limit for a first token passed while the model was still being loaded; it goes on loading. */
export function stillLoading(title: string, limitMs: number): AppError {
  return failure('model.timeout', {
    message: `still loading after ${limitMs} ms`,
    userMessage: `“${title}” is still being loaded after ${Math.round(limitMs / 1000)} s. It goes on in the background. ${kept} Try again in a minute, or allow it more time in Settings → Models.`,
    streamCode: 'E_TIMEOUT',
    retryable: true,
    ownRetry: 'loading',
    data: { phase: 'loading', limitMs },
  })
}

/** A text of others in one line, cut where it is long. */
export function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 500)
}
