import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const pollMs = 50

/**
 * How a child's memory is bounded beside Monty's own count, which one big operation can pass by far. `kernel`: the system
 * refuses the allocation and the child dies of it. `polled`: the parent looks while the VM runs. `none`: the system
 * tells us nothing (Windows, where Monty's own limit must do).
 */
export type MemoryCap =
  | { readonly kind: 'kernel' }
  | { readonly kind: 'polled'; readonly ceilingBytes: number }
  | { readonly kind: 'none' }

/** Lets a resting child grow by `growthBytes` and no more. */
export async function capMemory(pid: number, growthBytes: number): Promise<MemoryCap> {
  if (process.platform === 'linux' && (await capData(pid, growthBytes))) return { kind: 'kernel' }
  const restBytes = await residentBytes(pid)
  return restBytes === null ? { kind: 'none' } : { kind: 'polled', ceilingBytes: restBytes + growthBytes }
}

/** Calls `onOver` once when the process holds more than the cap; returns how to stop looking. */
export function watchMemory(pid: number, cap: MemoryCap, onOver: () => void): () => void {
  if (cap.kind !== 'polled') return () => undefined
  const timer = setInterval(async () => {
    const bytes = await residentBytes(pid)
    if (bytes === null || bytes <= cap.ceilingBytes) return
    clearInterval(timer)
    onOver()
  }, pollMs)
  return () => clearInterval(timer)
}

/** Resident memory of a process; null when it is gone or the system does not say. */
export async function residentBytes(pid: number): Promise<number | null> {
  if (process.platform === 'linux') return statusBytes(pid, 'VmRSS')
  if (process.platform === 'win32') return null
  const kilobytes = await run('ps', ['-o', 'rss=', '-p', String(pid)]).then(
    ({ stdout }) => Number(stdout.trim()),
    () => Number.NaN,
  )
  return Number.isFinite(kilobytes) && kilobytes > 0 ? kilobytes * 1_024 : null
}

/** An address-space limit is impossible (V8 reserves far more than it uses); RLIMIT_DATA counts what is really writable. */
async function capData(pid: number, growthBytes: number): Promise<boolean> {
  const restBytes = await statusBytes(pid, 'VmData')
  if (restBytes === null) return false
  return run('prlimit', ['--pid', String(pid), `--data=${restBytes + growthBytes}`]).then(
    () => true,
    // No prlimit on this system, or not allowed: the parent polls instead.
    () => false,
  )
}

async function statusBytes(pid: number, field: string): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1_024
}
