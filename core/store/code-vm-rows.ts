import type { Connection } from './connection.ts'

/** Code that is suspended at a call, as it can be loaded again. */
export interface StoredCodeVm {
  readonly threadId: string
  readonly step: number
  readonly path: string
  /** The call that it is suspended at: n of `path.n`. */
  readonly nextCall: number
  readonly bytes: Uint8Array
  readonly sha256: string
  readonly montyVersion: string
  readonly remainingMs: number
  readonly output: string
}

/** One row for each code step under way, always its newest bytes. Must run in the transaction of the intent. */
export function createCodeVmRows(connection: Connection) {
  const put = connection.prepare(
    `INSERT OR REPLACE INTO code_vm (threadId, step, path, nextCall, bytes, sha256, montyVersion, remainingMs, output)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const get = connection.prepare<StoredCodeVm>('SELECT * FROM code_vm WHERE threadId = ? AND step = ? AND path = ?')
  const drop = connection.prepare('DELETE FROM code_vm WHERE threadId = ? AND step = ? AND path = ?')
  const dropAll = connection.prepare('DELETE FROM code_vm WHERE threadId = ?')
  return {
    put(vm: StoredCodeVm): void {
      put.run(
        ...[vm.threadId, vm.step, vm.path, vm.nextCall, Buffer.from(vm.bytes), vm.sha256, vm.montyVersion],
        ...[vm.remainingMs, vm.output],
      )
    },
    get: (threadId: string, step: number, path: string) => get.get(threadId, step, path),
    drop: (threadId: string, step: number, path: string) => drop.run(threadId, step, path),
    dropAll: (threadId: string) => dropAll.run(threadId),
  }
}
