import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type FoundVersion, type KnownSkill, reconcile } from '../../../../core/skills/collection/reconcile.ts'

const found = (sha256: string, more: Partial<FoundVersion> = {}): FoundVersion => ({
  ...{ name: 'tide', sha256, source: 'authored', trust: 'trusted', place: 'mine', file: '/mine/tide/SKILL.md' },
  ...more,
})
const version = (number: number, sha256: string, isRolledBack = false) => ({
  ...{ version: number, sha256, place: 'mine', file: '/mine/tide/SKILL.md', trust: 'trusted' as const, isRolledBack },
})
/** Versions, the newest first; which is live, and which was read from a file last. */
function known(
  versions: KnownSkill['versions'],
  live: number | null,
  imported: number | null,
  state: KnownSkill['state'] = live === null ? 'gone' : 'active',
): KnownSkill {
  const numbered = (number: number | null) => versions.find((each) => each.version === number) ?? null
  return { id: 's', state, live: numbered(live), imported: numbered(imported), versions }
}

describe('a file', () => {
  it('that nobody knows is a first version', () => {
    expect(reconcile(found('a'), undefined)).toEqual({ kind: 'create' })
  })
  it('that is what was read is nothing new', () => {
    expect(reconcile(found('a'), known([version(1, 'a')], 1, 1))).toEqual({ kind: 'none' })
  })
  it('that changed is the next version, where it was the head', () => {
    expect(reconcile(found('b'), known([version(1, 'a')], 1, 1))).toEqual({ kind: 'version', parent: 1 })
  })
  it('that changed under an approved version is for a person to decide', () => {
    const learnt = known([version(2, 'x'), version(1, 'a')], 2, 1)
    expect(reconcile(found('b'), learnt)).toEqual({ kind: 'candidate' })
    expect(reconcile(found('a'), learnt)).toEqual({ kind: 'none' })
  })
  it('that is again what it was makes that version live again', () => {
    expect(reconcile(found('a'), known([version(2, 'b'), version(1, 'a')], 2, 2))).toEqual({
      kind: 'relive',
      version: 1,
    })
  })
  it('with bytes that were taken back never makes them live by itself', () => {
    const back = known([version(2, 'b', true), version(1, 'a')], 1, 2)
    expect(reconcile(found('b'), back)).toEqual({ kind: 'none' })
    expect(reconcile(found('b'), known([version(3, 'c'), version(2, 'b', true), version(1, 'a')], 3, 3))).toEqual({
      kind: 'candidate',
    })
  })
  it('that its author mends after its only version was taken back is the next version', () => {
    const suspended = known([version(1, 'a', true)], null, 1, 'suspended')
    expect(reconcile(found('b'), suspended)).toEqual({ kind: 'version', parent: 1 })
    expect(reconcile(found('a'), suspended)).toEqual({ kind: 'none' })
  })
  it('that lies elsewhere now is the same version there', () => {
    const moved = found('a', { place: 'theirs', file: '/theirs/tide/SKILL.md' })
    expect(reconcile(moved, known([version(1, 'a')], 1, 1))).toEqual({ kind: 'moved', version: 1 })
  })
  it('with the bytes that were approved takes nothing over: what is live stays what was decided', () => {
    const approved = { ...version(2, 'x'), file: null, place: 'thread #1' }
    expect(reconcile(found('x'), known([approved, version(1, 'a')], 2, 1))).toEqual({ kind: 'none' })
  })
  it('of a skill that a person put out of use changes nothing', () => {
    expect(reconcile(found('b'), known([version(1, 'a')], null, 1, 'quarantined'))).toEqual({ kind: 'none' })
  })
})

describe('no file', () => {
  it('takes a skill that only a file held out of use, and its coming back brings it back', () => {
    expect(reconcile(undefined, known([version(1, 'a')], 1, 1))).toEqual({ kind: 'gone' })
    expect(reconcile(found('a'), known([version(1, 'a')], null, 1))).toEqual({ kind: 'relive', version: 1 })
  })
  it('leaves what was approved', () => {
    expect(reconcile(undefined, known([version(2, 'x'), version(1, 'a')], 2, 1))).toEqual({ kind: 'none' })
  })
  it('of a skill that is gone, or was never there, is nothing new', () => {
    expect(reconcile(undefined, known([version(1, 'a')], null, 1))).toEqual({ kind: 'none' })
    expect(reconcile(undefined, undefined)).toEqual({ kind: 'none' })
  })
})

test('whatever is known, bytes that were taken back are never made live by a file', () => {
  const bytes = fc.constantFrom('a', 'b', 'c')
  const versions = fc.array(fc.record({ sha256: bytes, isRolledBack: fc.boolean() }), { minLength: 1, maxLength: 5 })
  const states = fc.constantFrom<KnownSkill['state']>('active', 'suspended', 'quarantined', 'gone')
  fc.assert(
    fc.property(versions, fc.nat(6), fc.nat(6), states, fc.option(bytes), (all, live, imported, state, file) => {
      const numbered = all.map(({ sha256, isRolledBack }, at) => version(all.length - at, sha256, isRolledBack))
      const liveNow = state === 'active' ? (live % all.length) + 1 : null
      const skill = known(numbered, liveNow, (imported % all.length) + 1, state)
      const act = reconcile(file === null ? undefined : found(file), skill)
      const taken = numbered.filter(({ isRolledBack }) => isRolledBack)
      if (act.kind === 'version' || act.kind === 'relive') expect(taken.map(({ sha256 }) => sha256)).not.toContain(file)
      if (act.kind === 'relive') {
        const isSame = numbered.find(({ version: number }) => number === act.version)
        expect(isSame).toMatchObject({ sha256: file, isRolledBack: false })
      }
    }),
    { numRuns: 2_000 },
  )
})
