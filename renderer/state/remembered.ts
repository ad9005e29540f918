/** Small facts of this window that outlive a reload: widths, drafts. Storage that is full or blocked only forgets. */
export function remember(key: string, value: string | null, storage: Storage = localStorage): void {
  try {
    if (value === null) storage.removeItem(key)
    else storage.setItem(key, value)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

export function recall(key: string, storage: Storage = localStorage): string | null {
  try {
    return storage.getItem(key)
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}
