import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, runGoal, startEngine } from '../../support/engine.ts'

const lockModule = path.resolve(import.meta.dirname, '../../../core/store/owner.ts')

/** What another process gets that wants the store. POSIX locks never hold against the process that has them. */
function lockFromOutside(dataDir: string): string {
  const script = `import { takeOwnerLock } from ${JSON.stringify(lockModule)}
    try { takeOwnerLock(${JSON.stringify(dataDir)}); console.log('taken') } catch (error) { console.log(error.code) }`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim()
}

test("a goal that reads all files of a project that holds the app's own data leaves the store its locks", async () => {
  const folder = folderWith({ 'a.txt': 'same', 'b.txt': 'same', 'data/notes.txt': 'same' })
  const dataDir = path.join(folder, 'data')
  const engine = await startEngine({ dataDir })
  fs.linkSync(path.join(dataDir, 'owner.lock'), path.join(folder, 'another-name'))
  const thread = await runGoal(engine, folder, 'Which files have the same content?')
  expect(thread).toMatchObject({ state: 'Done', outcome: 'answered' })
  const { rows } = await engine.api.call('chat.messages', { conversationId: thread.conversationId, limit: 10 })
  const said = rows.at(-1)?.content ?? ''
  expect(said).toContain('b.txt')
  expect(said).not.toContain('data/')
  expect(lockFromOutside(dataDir)).toBe('store.busy')
})

test("the app's own folder, or one in it, is no project", async () => {
  const engine = await startEngine()
  const { dataDir } = await engine.api.call('engine.info', {})
  fs.mkdirSync(path.join(dataDir, 'backups'), { recursive: true })
  for (const folder of [dataDir, path.join(dataDir, 'backups')]) {
    await expect(engine.api.call('project.open', { folder })).rejects.toMatchObject({ code: 'project.missing' })
  }
})
