import { expect, test } from 'vitest'
import { createSlots, type Slots } from '../../../core/threads/threads.ts'

const never = new AbortController().signal

function taken(slots: Slots) {
  const order: string[] = []
  const take = (name: string, holder: 'chat' | 'mission') =>
    slots.acquire(never, holder).then(() => void order.push(name))
  return { order, take }
}

test('missions hold one slot less than there are: a person who comes then finds one', async () => {
  const slots = createSlots(2)
  const { order, take } = taken(slots)
  await take('first mission', 'mission')
  void take('second mission', 'mission')
  expect(slots.mustWait('mission')).toBe(true)
  expect(slots.mustWait('chat')).toBe(false)
  await take('chat', 'chat')
  expect(order).toEqual(['first mission', 'chat'])
  expect(slots).toMatchObject({ used: 2, queued: 1 })
})

test('a slot that a chat gives back passes over a mission that may not have it, to the next chat in line', async () => {
  const slots = createSlots(2)
  const { order, take } = taken(slots)
  await take('mission', 'mission')
  await take('chat', 'chat')
  void take('waiting mission', 'mission')
  const next = take('waiting chat', 'chat')
  slots.release('chat')
  await next
  expect(order).toEqual(['mission', 'chat', 'waiting chat'])
  slots.release('mission')
  await expect.poll(() => order.at(-1)).toBe('waiting mission')
  expect(slots).toMatchObject({ used: 2, queued: 0 })
})

test('with one slot a mission may have it: it would never work otherwise', async () => {
  const slots = createSlots(1)
  await slots.acquire(never, 'mission')
  expect(slots.mustWait('chat')).toBe(true)
})

test('whoever leaves the line loses nothing of it for the others', async () => {
  const slots = createSlots(1)
  const leaving = new AbortController()
  await slots.acquire(never)
  const left = slots.acquire(leaving.signal)
  const { order, take } = taken(slots)
  const next = take('next', 'chat')
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  slots.release()
  await next
  expect(order).toEqual(['next'])
})
