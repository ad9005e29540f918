// One life of a mission that threads set off, killed at the n-th time that a boundary is reached. The first life has three threads end
// before anybody looks at the log; each life looks until nothing is left to do, and ends each thread with an account.
import { type FaultPoint, onFaultPoint } from '../../../core/domain/fault-point.ts'
import { answer, definition, openMissionWorld, utc } from './mission-world.ts'

const [dataDir = '', point = '', nthText = ''] = process.argv.slice(2)
let left = Number(nthText)
const world = openMissionWorld(dataDir, utc('2026-02-03T09:30:00'))
const { missions, store } = world
if (store.missions.byName('p', 'first') === undefined) {
  for (const name of ['first', 'second']) {
    const cadence = { kind: 'event', on: 'thread-done' } as const
    missions.save({ projectId: 'p', definition: definition({ name, cadence, overlap: 'queue' }), source: 'person' })
  }
  for (const goal of ['a', 'b', 'c']) world.thread({ goal })
}
onFaultPoint((name: FaultPoint) => {
  if (name !== point) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
})
missions.recover()
for (let round = 0; round < 30; round += 1) {
  await missions.tick(world.now)
  for (const { threadId } of store.missions.running(10)) {
    if (threadId !== null) await world.end(threadId, { answer: answer({ done: `did ${threadId}` }) })
  }
  world.pass(1_000)
}
process.send?.('done', () => process.exit(0))
