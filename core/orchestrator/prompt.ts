export interface PromptFacts {
  /** Epoch ms. */
  readonly startedAt: number
  readonly projectName: string
  readonly folder: string
}

export interface Prompts {
  /** The system message of a thread: made once, when it begins, and kept on record. The same facts give the same bytes. */
  system(facts: PromptFacts): string
}

/** `text` is that of prompts/system.md; `timeZone` an IANA name. */
export function createPrompts(text: string, timeZone: string): Prompts {
  const dayAndTime = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'full', timeStyle: 'short' })
  return {
    /** Facts of the beginning only: one that changed on every step would break the provider's prefix cache. */
    system({ startedAt, projectName, folder }) {
      const now = `${dayAndTime.format(new Date(startedAt))} (${timeZone})`
      return [text.trim(), '', `Project: ${projectName}`, `Folder: ${folder}`, `Now: ${now}`].join('\n')
    },
  }
}
