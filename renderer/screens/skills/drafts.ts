const kept = new Map<string, string>()

/** What was written of a skill and not saved: another screen may come between. */
export function draftOf(id: string): string | undefined {
  return kept.get(id)
}

export function keepDraft(id: string, text: string | null): void {
  if (text === null) kept.delete(id)
  else kept.set(id, text)
}
