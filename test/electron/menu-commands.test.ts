import { expect, it } from 'vitest'
import { menuCommands } from '../../electron/menu-commands.ts'
import { commands } from '../../renderer/commands.ts'

const entries = Object.values(menuCommands).flat()

it.each(entries.map((entry) => [entry.id, entry] as const))('the menu entry %s does something', (id, entry) => {
  const command = commands.find((candidate) => candidate.id === id)
  expect(command).toBeDefined()
  if ('key' in entry) expect(command?.keys).toContain(entry.key)
})
