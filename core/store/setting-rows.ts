import type { Connection } from './connection.ts'

/** One row a setting, its value as JSON. Names that this version does not know stay as they are. */
export function createSettingRows(connection: Connection) {
  const all = connection.prepare<{ name: string; value: string }>('SELECT name, value FROM setting')
  const set = connection.prepare(
    'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  return {
    all: (): readonly { name: string; value: string }[] => all.all(),
    set: (name: string, value: string) => set.run(name, value),
  }
}
