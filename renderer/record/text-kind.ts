const lookedAt = 2_048

/** True for bytes that were read as text: NULs, many unreadable characters, or one long run of base64. */
export function isBinaryText(text: string): boolean {
  const head = text.slice(0, lookedAt)
  if (head.includes('\u0000')) return true
  let unreadable = 0
  for (const character of head) if (character === '\ufffd') unreadable += 1
  if (unreadable > head.length / 10) return true
  return head.startsWith('data:')
    ? /^data:[^,]*;base64,/.test(head)
    : text.length > 512 && /^[A-Za-z0-9+/]{512}/.test(head)
}
