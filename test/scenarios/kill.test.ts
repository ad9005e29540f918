import { expect, test } from 'vitest'
import { faultPoints } from '../../core/domain/fault-point.ts'
import { runCampaign } from '../kill/campaign.ts'
import { reportOf } from '../kill/report.ts'

const seed = 1
/** Its first life is to end right after an effect: any seed comes to one within fifty kills, this one at once. */
const seedOfAnEffect = 844

test('killed at every named boundary and at any time: nothing is lost, nothing happens twice, nothing is stuck', {
  timeout: 900_000,
}, async () => {
  expect(faultPoints.length).toBeGreaterThanOrEqual(40)
  const kills = 100
  const result = await runCampaign({ kills, seed, lanes: 2, enoughMs: 45_000 })
  console.log(`seed ${seed}: ${reportOf(result, { kills }).text}`)
  expect(result.faults).toEqual([])
  expect(result.neverHit).toEqual([])
  expect(result.kills).toBeGreaterThanOrEqual(faultPoints.length)
})

test('a door that acts before it records is found out within 50 kills: an effect happens twice', {
  timeout: 900_000,
}, async () => {
  const { kills, faults } = await runCampaign({ kills: 50, seed: seedOfAnEffect, lanes: 1, isBroken: true })
  expect(faults.some(({ what }) => what === 'twice')).toBe(true)
  expect(kills).toBeLessThanOrEqual(50)
})
