import type { Access } from './access.ts'
import type { Terminal } from './terminal.ts'

/** `trace issues`: a line for each thing that went wrong, worst first. */
export async function issues(access: Access, terminal: Terminal, id: string): Promise<number> {
  const found = await access.call('thread.issues', { id })
  for (const { class: issueClass, severity, stepIds, reason } of found) {
    terminal.json({ class: issueClass, severity, stepIds, reason })
    const shown = terminal.status(severity.padEnd(8), severity === 'Info')
    terminal.line(shown, `${issueClass}  ${reason}  `, terminal.dim(`steps ${stepIds.join(', ')}`))
  }
  if (found.length === 0) terminal.note('no issues')
  return 0
}
