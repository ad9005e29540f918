import { knowledgeText, type Memory } from './memory/memory.ts'
import type { Knowledge } from './orchestrator/orchestrator.ts'
import type { KnowledgeQuestion } from './threads/threads.ts'

/** What a project knows of a matter, as a thread is told of it; null where nothing bears on it. */
export async function knowledgeFor(
  memory: Memory,
  { projectId, text, signal }: KnowledgeQuestion,
): Promise<Knowledge | null> {
  const found = await memory.retrieveDocs(projectId, text, { signal })
  if (found.length === 0) return null
  const docs = found.map(({ id, version, type, title, score, untrusted }) => ({
    ...{ id, version, type, title, score },
    ...(untrusted && { untrusted: true as const }),
  }))
  return { docs, text: knowledgeText(found) }
}
