import { expect, it, test } from 'vitest'
import { createOpener, placeIn, placeOf } from '../../electron/places.ts'
import { missionRoute, parseRoute, type Route, routeHash, skillRoute } from '../../renderer/routes.ts'

function open() {
  const log: string[] = []
  let loaded = () => {}
  let loading = () => {}
  const opener = createOpener({
    onLoaded: (listener) => {
      loaded = listener
    },
    onLoading: (listener) => {
      loading = listener
    },
    focus: () => void log.push('focus'),
    show: (place) => void log.push(place),
  })
  return { log, opener, loaded: () => loaded(), loading: () => loading() }
}

it('the places of a thread and of a mission are routes of the window', () => {
  expect(parseRoute(placeOf({ threadId: 'thr_1' }))).toEqual({ screen: 'thread', id: 'thr_1' })
  expect(parseRoute(placeOf({ missionId: 'mis_1' }))).toEqual({ screen: 'missions', id: 'mis_1', tab: 'overview' })
})

it('what is asked for before there is a page is opened when it is there, and once', () => {
  const { log, opener, loaded } = open()
  opener('#/missions/mis_1')
  expect(log).toEqual(['focus'])
  loaded()
  loaded()
  expect(log).toEqual(['focus', '#/missions/mis_1'])
})

it('of several that wait the newest is opened; a page that is loaded anew is waited for', () => {
  const { log, opener, loaded, loading } = open()
  loaded()
  opener('#/thread/thr_1')
  loading()
  opener('#/thread/thr_2')
  opener('#/thread/thr_3')
  loaded()
  expect(log).toEqual(['focus', '#/thread/thr_1', 'focus', 'focus', '#/thread/thr_3'])
})

test.each<[readonly string[], string | null]>([
  [['electron', '.', '--open=#/missions/mis_1'], '#/missions/mis_1'],
  [['--open=#/thread/thr_1', '--open=#/approvals/app_2'], '#/approvals/app_2'],
  [['electron', '.'], null],
  [['--open=#/settings/data'], '#/settings/data'],
  [['--open=#/chat/a/b/c'], null],
  [['--open=#/elsewhere/x'], null],
  [['--open=#/missions/a b'], null],
  [['--open=https://example.com'], null],
  [['--open=#/missions/../x'], null],
  [[`--open=#/missions/${'x'.repeat(401)}`], null],
])('a command line %j asks for %s', (argv, place) => {
  expect(placeIn(argv)).toBe(place)
})

test.each<Route>([
  { screen: 'chat', conversationId: null },
  { screen: 'chat', conversationId: 'cnv_1' },
  { screen: 'threads' },
  { screen: 'thread', id: 'thr_1', at: 12 },
  { screen: 'approvals', id: 'app_1' },
  { screen: 'memory', id: 'doc_1' },
  skillRoute('~/home/mara/my skills/tides/SKILL.md', 'problems'),
  missionRoute('mis_1', 'history'),
  { screen: 'learnt', id: 'learnt_1' },
  { screen: 'integrations', part: '~hosts' },
  { screen: 'settings', section: 'models' },
])('the address of %j can be asked for', (route) => {
  const hash = routeHash(route)
  expect(placeIn([`--open=${hash}`])).toBe(hash)
  expect(parseRoute(hash)).toEqual(route)
})
