import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Engine } from '../../../../core/engine.ts'
import { plannerRefusalMark } from '../../../../core/models/planner/refusal.ts'
import { startEngine, temporaryFolder } from '../../../support/engine.ts'
import { type Folder, testFolders } from './blind/folders.ts'
import { refusals } from './blind/refusals.ts'
import { missing, requests } from './blind/requests.ts'

/** The folder on disk, with the times of change that its requests ask about. */
function lay(folder: Folder): string {
  const root = temporaryFolder(`threadsmith-${folder.name}-`)
  for (const [name, content] of Object.entries(folder.files)) {
    const file = path.join(root, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
    const modified = folder.modified[name]
    if (modified !== undefined) fs.utimesSync(file, new Date(modified), new Date(modified))
  }
  return root
}

/** Sends texts to one chat after the other and answers the last reply; through the whole engine, as in the app. */
async function ask(engine: Engine, projectId: string, texts: readonly string[]): Promise<string> {
  let threadId: string | undefined
  for (const text of texts) {
    const sent = await engine.api.call('thread.send', { text, ...(threadId ? { threadId } : { projectId }) })
    threadId = sent.threadId
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  }
  const thread = await engine.api.call('thread.get', { id: threadId ?? '' })
  const { rows } = await engine.api.call('chat.messages', { conversationId: thread.conversationId })
  return rows.at(-1)?.content ?? ''
}

function textsOf(id: string, folder: Folder): string[] {
  const request = requests.find((each) => each.id === id)
  if (request === undefined) throw new Error(`no request ${id}`)
  const before = request.after === undefined ? [] : textsOf(request.after, folder)
  return [...before, request.text(folder.slots)]
}

describe.each(testFolders.map((folder) => [folder.name, folder] as const))('%s', (_name, folder) => {
  test(`answers ${requests.length} paraphrases with the right figures`, { timeout: 120_000 }, async () => {
    const engine = await startEngine()
    const project = await engine.api.call('project.open', { folder: lay(folder) })
    const wrong: string[] = []
    for (const request of requests) {
      const answer = await ask(engine, project.id, textsOf(request.id, folder))
      const lacks = missing(answer, request.expect(folder))
      if (lacks.length > 0)
        wrong.push(
          `${request.id}: ${textsOf(request.id, folder).at(-1)}\n  lacks ${lacks.join(' | ')}\n  said ${answer.slice(0, 300)}`,
        )
    }
    expect(wrong.join('\n')).toBe('')
  })

  test(`refuses ${refusals.length} requests that are beyond it`, { timeout: 60_000 }, async () => {
    const engine = await startEngine()
    const project = await engine.api.call('project.open', { folder: lay(folder) })
    const answered: string[] = []
    for (const refusal of refusals) {
      const answer = await ask(engine, project.id, [refusal.text(folder.slots)])
      if (!answer.includes(plannerRefusalMark))
        answered.push(`${refusal.id}: ${refusal.text(folder.slots)}\n  said ${answer.slice(0, 200)}`)
    }
    expect(answered.join('\n')).toBe('')
  })
})
