import type { ApiInput } from '../../core/api.ts'
import { errorBody } from '../../core/domain/error.ts'
import { limits } from '../../core/domain/limits.ts'
import { call } from '../engine/client.ts'
import { setApp } from './store.ts'

/** Everything that learning proposed or brought about, of all folders, the newest first. */
export async function loadLearnt(): Promise<void> {
  const [learnt, learntStatus] = await Promise.all([
    call('learn.list', { limit: limits.pageRows }),
    call('learn.status', {}),
  ])
  setApp({ learnt, learntStatus })
}

export async function loadLearntStatus(): Promise<void> {
  setApp({ learntStatus: await call('learn.status', {}) })
}

/** Decides on exactly the text that was seen. Everything is read anew, also where it was refused: it may be because of that. */
export async function decideLearnt(decision: ApiInput<'learn.decide'>): Promise<void> {
  try {
    await call('learn.decide', decision)
  } finally {
    await readAnew()
  }
}

export async function undoLearnt(undo: ApiInput<'learn.undo'>): Promise<void> {
  try {
    await call('learn.undo', undo)
  } finally {
    await readAnew()
  }
}

/** What was decided stands, or was refused, whether or not it can be read: that it could not is a notice of its own. */
async function readAnew(): Promise<void> {
  await loadLearnt().catch((error: unknown) => setApp({ notice: errorBody(error) }))
}
