import { createHash } from 'node:crypto'
import { MontySnapshot } from '@pydantic/monty'
import { AppError } from '../domain/error.ts'
import type { Printed } from './printed.ts'
import type { VmSnapshot } from './vm.ts'

/** The version whose snapshots we can load: the one pinned in package.json. */
const montyVersion = '0.0.18'

export function describeSnapshot(bytes: Uint8Array, remainingMs: number): VmSnapshot {
  return { bytes, sha256: sha256Of(bytes), montyVersion, remainingMs: Math.max(0, remainingMs) }
}

/** Throws `sandbox.snapshot` unless the bytes are those that were taken, by the interpreter that we run. */
export function assertLoadable(snapshot: VmSnapshot): void {
  if (snapshot.montyVersion !== montyVersion) {
    throw badSnapshot(`taken by Monty ${snapshot.montyVersion}, this is ${montyVersion}`)
  }
  if (sha256Of(snapshot.bytes) !== snapshot.sha256) throw badSnapshot('its bytes are not those that were taken')
}

/** `bytes` must have been checked: Monty runs on silently, or aborts the process, when they are not what it wrote. */
export function loadBytes(bytes: Uint8Array, printed: Printed): MontySnapshot {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return MontySnapshot.load(buffer, { printCallback: printed.add })
  } catch (error) {
    throw badSnapshot('the interpreter does not read it', error)
  }
}

function badSnapshot(reason: string, cause?: unknown): AppError {
  return new AppError('sandbox.snapshot', {
    message: `the snapshot cannot be loaded: ${reason}`,
    userMessage:
      'The saved state of this code cannot be trusted, so it was not run. The record is kept; the step can be done again from its start.',
    cause,
  })
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
