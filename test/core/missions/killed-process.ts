// One life of missions on a real store, killed at the n-th time that a boundary is reached. Each life does the same: it takes up what
// is there, ticks until nothing is left to do, and ends each thread with an account.
import { type FaultPoint, onFaultPoint } from '../../../core/domain/fault-point.ts'
import { answer, definition, openMissionWorld, utc } from './mission-world.ts'

const [dataDir = '', point = '', nthText = '', nowText = '', kind = ''] = process.argv.slice(2)
let left = Number(nthText)
onFaultPoint((name: FaultPoint) => {
  if (name !== point) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
})

const world = openMissionWorld(dataDir, Number(nowText))
const { missions, store } = world
if (kind === '' && store.missions.byName('p', 'first') === undefined) {
  world.now = utc('2026-02-03T09:30:00')
  for (const name of ['first', 'second'])
    missions.save({ projectId: 'p', definition: definition({ name, missed: 'all', catchUp: 3 }), source: 'person' })
  world.now = Number(nowText)
}
missions.recover()
if (kind === 'replaced') {
  const definitions = definition({ name: 'replaced', cadence: { kind: 'manual' }, overlap: 'cancel' })
  const { id: missionId } = missions.save({ projectId: 'p', definition: definitions, source: 'person' })
  const fire = () => missions.fire({ missionId, trigger: 'manual', payload: null, dedupeKey: null, causeDepth: 0 })
  await fire()
  await fire()
}
for (let round = 0; round < 30; round += 1) {
  await missions.tick(world.now)
  for (const { threadId } of store.missions.running(10)) {
    if (threadId !== null) await world.end(threadId, { answer: answer({ done: `did ${threadId}` }) })
  }
  world.pass(5_000)
}
process.send?.('done', () => process.exit(0))
