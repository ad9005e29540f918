/** Plain JSON values: what crosses the VM, the store, IPC and the network. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** How long its JSON is, without writing it: exact but for the characters that JSON must escape. */
export function jsonLength(value: Json): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return String(value).length
  if (Array.isArray(value))
    return (
      1 +
      Math.max(
        1,
        sumOf(value, (item) => jsonLength(item) + 1),
      )
    )
  return (
    1 +
    Math.max(
      1,
      sumOf(Object.entries(value), ([key, item]) => key.length + jsonLength(item) + 4),
    )
  )
}

function sumOf<Item>(items: readonly Item[], sizeOf: (item: Item) => number): number {
  let sum = 0
  for (const item of items) sum += sizeOf(item)
  return sum
}

/** The same value always gives the same text: keys sorted at every depth. Used wherever bytes are hashed or compared. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${fields.join(',')}}`
}
