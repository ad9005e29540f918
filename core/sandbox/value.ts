import { AppError } from '../domain/error.ts'
import type { Json } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'

/** Each value and key counts this much beside its text, so that a million empty lists are not free. */
const entryBytes = 8

interface Room {
  bytes: number
  readonly place: string
}

/** A Python value as JSON: dict → object, tuple and set → array, None → null. Throws `engine.value` for all else. */
export function fromVm(value: unknown, place: string): Json {
  return convert(value, 0, { bytes: limits.vmValueBytes, place })
}

/** The arguments of one call; `args` and `kwargs` share the room of one value. */
export function callFromVm(args: readonly unknown[], kwargs: object, place: string) {
  const room: Room = { bytes: limits.vmValueBytes, place }
  const named: Record<string, Json> = {}
  for (const [key, value] of Object.entries(kwargs)) put(named, key, convert(value, 0, room), room)
  return { args: args.map((value) => convert(value, 0, room)), kwargs: named }
}

/** Refuses (`engine.value`) what may not go into a VM: anything but JSON, deeper or larger than the limits. */
export function assertCrossable(value: unknown, place: string): asserts value is Json {
  check(value, 0, { bytes: limits.vmValueBytes, place })
}

function convert(value: unknown, depth: number, room: Room): Json {
  if (typeof value === 'bigint') return numberOf(value, room)
  const scalar = takeScalar(value, room)
  if (scalar !== undefined) return scalar
  takeLevel(depth, room)
  if (Array.isArray(value)) return value.map((item) => convert(item, depth + 1, room))
  if (value instanceof Map) return objectOf(value, depth, room)
  if (value instanceof Set) return Array.from(value, (item) => convert(item, depth + 1, room))
  throw refusal(room, nameOfVmObject(value))
}

/** Monty gives an int beyond 2**53 as a bigint; a JSON number holds some of those exactly, the host's own among them. */
function numberOf(value: bigint, room: Room): number {
  spend(room, entryBytes)
  const number = Number(value)
  if (Number.isFinite(number) && BigInt(number) === value) return number
  throw refusal(room, 'an integer beyond 2**53 that JSON cannot hold exactly (pass str(n) instead)')
}

function objectOf(map: ReadonlyMap<unknown, unknown>, depth: number, room: Room): Json {
  const object: Record<string, Json> = {}
  for (const [key, item] of map) {
    if (typeof key !== 'string') throw refusal(room, `a dict key that is not a str (${String(key).slice(0, 40)})`)
    put(object, key, convert(item, depth + 1, room), room)
  }
  return object
}

function put(object: Record<string, Json>, key: string, value: Json, room: Room): void {
  spend(room, entryBytes + Buffer.byteLength(key))
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

function check(value: unknown, depth: number, room: Room): void {
  if (takeScalar(value, room) !== undefined) return
  takeLevel(depth, room)
  if (Array.isArray(value)) {
    for (const item of value) check(item, depth + 1, room)
  } else if (isPlainObject(value)) {
    for (const key of Object.keys(value)) {
      spend(room, entryBytes + Buffer.byteLength(key))
      check(value[key], depth + 1, room)
    }
  } else throw refusal(room, Object.prototype.toString.call(value).slice(8, -1))
}

/** The value itself when it has no parts (its size taken), undefined when it is a container. */
function takeScalar(value: unknown, room: Room): null | boolean | number | string | undefined {
  spend(room, entryBytes)
  if (value === null || value === undefined) return null
  if (typeof value === 'string') {
    spend(room, Buffer.byteLength(value))
    return value
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refusal(room, `the number ${value}`)
    // JSON has one zero: a value must equal itself after it was stored and read again.
    return value === 0 ? 0 : value
  }
  if (typeof value === 'boolean') return value
  if (typeof value === 'object') return undefined
  throw refusal(room, `a ${typeof value}`)
}

function takeLevel(depth: number, room: Room): void {
  if (depth >= limits.vmValueDepth) throw refusal(room, `a value more than ${limits.vmValueDepth} levels deep`)
}

function spend(room: Room, bytes: number): void {
  room.bytes -= bytes
  if (room.bytes < 0) throw refusal(room, `more than ${limits.vmValueBytes} bytes`)
}

/** Monty gives a dict as a Map; a plain object is its picture of something else: a date, a type, an exception. */
function nameOfVmObject(value: unknown): string {
  if (value instanceof Uint8Array) return 'bytes'
  const kind = isPlainObject(value) ? value.__monty_type__ : undefined
  return typeof kind === 'string' ? `a Python ${kind}` : 'this Python object'
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function refusal(room: Room, what: string): AppError {
  return new AppError('engine.value', {
    message: `${what} cannot cross between the code and its host, in ${room.place}`,
    userMessage: `The code and the app tried to exchange something that is not plain data: ${what}. Nothing was changed by it; the step can be written again with text, numbers, lists and dicts.`,
    data: { what, place: room.place },
  })
}
