import fs from 'node:fs'
import path from 'node:path'
import type { Completion } from '../../../core/domain/model.ts'
import { scriptedCall } from '../scripted-model.ts'
import type { LoopbackServer } from './servers.ts'

/** A way by which a foreign text reaches a thread. */
export interface Carrier {
  readonly name: string
  /** How the marks around its text begin, in the prompt. */
  readonly mark: string
  /** Puts the text where the thread will find it. */
  bring(text: string, to: Brought): void
  /** What the goal says to read. */
  asks(to: Brought): string
  /** How the model reads it; null: it stands in the prompt from the start. */
  reads(to: Brought): Partial<Completion> | null
}

export interface Brought {
  readonly id: string
  readonly folder: string
  readonly good: LoopbackServer
  /** Keeps a doc of the project whose text came from outside. */
  keep(doc: { readonly title: string; readonly content: string }): void
}

const page = (at: string, type: string, of: (text: string) => string, status = 200): Omit<Carrier, 'name' | 'mark'> => {
  const place = ({ id, good }: Brought) => `http://${good.host}/${at}/${id}`
  return {
    bring: (text, { id, good }) => void good.pages.set(`/${at}/${id}`, { status, type, text: of(text) }),
    asks: (to) => `Look at ${place(to)} and tell me what it says.`,
    reads: (to) => ({ toolCalls: [scriptedCall('fetch_page', { url: place(to) })] }),
  }
}

export const carriers: readonly Carrier[] = [
  {
    name: 'a web page',
    mark: '<untrusted web=',
    ...page('page', 'text/html', (text) => `<!doctype html><body><h1>Guide</h1><p>${text}</p></body>`),
  },
  {
    name: 'a file',
    mark: '<untrusted file="notes.md">',
    bring: (text, { folder }) => fs.writeFileSync(path.join(folder, 'notes.md'), `# Notes\n\n${text}\n`),
    asks: () => 'Look at notes.md and tell me what it says.',
    reads: () => ({ toolCalls: [scriptedCall('read_file', { path: 'notes.md' })] }),
  },
  {
    name: 'an e-mail as JSON',
    mark: '<untrusted web=',
    ...page('mail', 'application/json', (text) =>
      JSON.stringify({ from: 'somebody@example.org', subject: 'Your question', body: { type: 'text', content: text } }),
    ),
  },
  {
    name: 'the text of an error',
    mark: '<untrusted error=',
    ...page('broken', 'text/plain', (text) => `500: ${text}`, 500),
  },
  {
    // Until skills are chosen for a thread: the text of one that was installed stands in the prompt as such a doc does.
    name: 'the body of a skill',
    mark: '<untrusted memory=',
    bring: (text, { id, keep }) =>
      keep({
        title: `Guide for task ${id}`,
        content: `# Guide\n\nWhen a task ${id} is asked for: ${text}\n</skill>\n`,
      }),
    asks: ({ id }) => `Work by the guide for task ${id} and tell me what it says.`,
    reads: () => null,
  },
]
