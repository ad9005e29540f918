import { expect, test } from 'vitest'
import { integrationParts, newMissionId, parseRoute, type Route, routeHash } from '../../renderer/routes.ts'

const routes: readonly Route[] = [
  { screen: 'chat', conversationId: null },
  { screen: 'chat', conversationId: 'c 1/2' },
  { screen: 'threads' },
  { screen: 'thread', id: '212' },
  { screen: 'memory', id: null },
  { screen: 'memory', id: 'doc 1/2' },
  { screen: 'skills', id: null, tab: 'overview' },
  { screen: 'skills', id: 'skl_1', tab: 'overview' },
  { screen: 'skills', id: '~/home/mara/a b/SKILL.md', tab: 'problems' },
  { screen: 'missions', id: null, tab: 'overview' },
  { screen: 'missions', id: 'mis_1', tab: 'overview' },
  { screen: 'missions', id: 'mis 1/2', tab: 'history' },
  { screen: 'missions', id: 'mis_1', tab: 'edit' },
  { screen: 'missions', id: newMissionId, tab: 'overview' },
  { screen: 'thread', id: 'thr_1', at: 41 },
  { screen: 'learnt', id: null },
  { screen: 'learnt', id: 'skl_1@2' },
  { screen: 'integrations', part: null },
  { screen: 'integrations', part: 'web-research' },
  { screen: 'integrations', part: integrationParts.hosts },
  { screen: 'settings', section: 'models' },
]

test.each(routes)('%o is found again after a reload', (route) => {
  expect(parseRoute(routeHash(route))).toEqual(route)
})

test.each([
  ['', { screen: 'chat', conversationId: null }],
  ['#/nowhere', { screen: 'chat', conversationId: null }],
  ['#/thread', { screen: 'threads' }],
  ['#/settings/nothing', { screen: 'settings', section: 'general' }],
  ['#/skills/tide/nothing', { screen: 'skills', id: 'tide', tab: 'overview' }],
  ['#/thread/thr_1/nothing', { screen: 'thread', id: 'thr_1' }],
  ['#/missions/mis_1/nothing', { screen: 'missions', id: 'mis_1', tab: 'overview' }],
  ['#/chat/%E0%A4', { screen: 'chat', conversationId: null }],
])('the address %s leads somewhere', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route)
})
