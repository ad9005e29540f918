import { faultPoint } from '../domain/fault-point.ts'
import type { Slots } from './slots.ts'
import type { Working } from './working.ts'

/** One slot for a thread, however many of its queries come back from a back-off at once. */
export async function takeSlot(working: Working): Promise<void> {
  const { run } = working
  if (run.holdsSlot || run.inSlotOf !== undefined) return
  run.takingSlot ??= queueForSlot(working).finally(() => {
    run.takingSlot = undefined
  })
  await run.takingSlot
}

/** Waiting for a slot is on record: a thread that waits says behind how many. */
async function queueForSlot({ run, parts, journal }: Working): Promise<void> {
  const { slots, now } = parts
  const mustWait = slots.mustWait(run.slotHolder)
  const from = now()
  if (mustWait) {
    journal.stage({ kind: 'slot.queued', data: { ahead: slots.queued } })
    journal.commit()
  }
  await slots.acquire(run.controller.signal, run.slotHolder)
  run.holdsSlot = true
  faultPoint('slot.taken')
  if (mustWait) {
    journal.stage({ kind: 'slot.acquired', data: { waitedMs: now() - from } })
    journal.commit()
  }
}

export function releaseSlot(run: Working['run'], slots: Slots): void {
  if (!run.holdsSlot) return
  run.holdsSlot = false
  slots.release(run.slotHolder)
  faultPoint('slot.released')
}
