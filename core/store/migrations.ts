import { engineSchema } from './schema-engine.ts'
import { missionSchema } from './schema-missions.ts'

/**
 * The schema, one entry a version; `PRAGMA user_version` is how many have run. An entry never changes once released: a new
 * column or table is a new entry, at the end. Every table is STRICT.
 */
export const migrations: readonly string[] = [...engineSchema, ...missionSchema]
