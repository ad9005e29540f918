import { expect, test } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { createShelf } from '../../../../core/learning/extraction/shelf.ts'
import { bytesOf } from '../../../../core/learning/miner/episode.ts'
import { readFile } from '../miner/recorder.ts'
import { episode } from '../miner/worked.ts'

const bare = (id: string, text: string) => episode(id, '', [[readFile('x', text)]], '')
const room = limits.minerKeptBytes / 4
/** A thread that takes a quarter of the room. */
function quarter(id: string, more = 0) {
  const text = 'x'.repeat(room - 1_000)
  return bare(id, text + 'x'.repeat(room - bytesOf(bare(id, text)) + more))
}

function shelfOf(sizes: Readonly<Record<string, number>> = {}) {
  const reads: string[] = []
  const shelf = createShelf(async (id) => {
    reads.push(id)
    return id.startsWith('unfit') ? null : quarter(id, sizes[id])
  })
  const held = async (...ids: readonly string[]) => (await shelf.newest(ids)).map(({ threadId }) => threadId)
  return { reads, shelf, held }
}

test('as many threads are held as there is room for, the newest', async () => {
  expect(bytesOf(quarter('t 1'))).toBe(room)
  const { held } = shelfOf()
  expect(await held('t 9', 't 8', 't 7', 't 6', 't 5')).toEqual(['t 9', 't 8', 't 7', 't 6'])
  const larger = shelfOf({ 't 6': 1 })
  expect(await larger.held('t 9', 't 8', 't 7', 't 6', 't 5')).toEqual(['t 9', 't 8', 't 7'])
})

test('each is read once, as long as it is held', async () => {
  const { reads, shelf, held } = shelfOf()
  await held('t 4', 't 3', 'unfit 2', 't 1', 't 0')
  shelf.put('t 5', quarter('t 5'))
  expect(await held('t 5', 't 4', 't 3', 'unfit 2', 't 1', 't 0')).toEqual(['t 5', 't 4', 't 3', 't 1'])
  expect(reads).toEqual(['t 4', 't 3', 'unfit 2', 't 1', 't 0'])
  // The oldest had no room any more.
  await held('t 1', 't 0')
  expect(reads).toEqual(['t 4', 't 3', 'unfit 2', 't 1', 't 0', 't 0'])
})
