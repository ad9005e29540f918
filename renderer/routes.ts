/** Where the window is. It stands in the address after `#`, so that a reload comes back to it. */
export type Route =
  | { readonly screen: 'chat'; readonly conversationId: string | null }
  | { readonly screen: 'threads' }
  /** `at`: the event that it opens on. */
  | { readonly screen: 'thread'; readonly id: string; readonly at?: number | undefined }
  /** Without an id: the one that waits the longest. */
  | { readonly screen: 'approvals'; readonly id: string | null }
  /** A doc of the memory, or only their list. */
  | { readonly screen: 'memory'; readonly id: string | null }
  /** A skill by its id or name, or a file that is none (`~` and its path); without an id only their list. */
  | { readonly screen: 'skills'; readonly id: string | null; readonly tab: SkillTab }
  /** A mission by its id, or the form of a new one; without one only their list. */
  | { readonly screen: 'missions'; readonly id: string | null; readonly tab: MissionPlace }
  /** Something learnt by its id; without one the first that waits. */
  | { readonly screen: 'learnt'; readonly id: string | null }
  /** What a skill needs for its services, by the skill's name, or one of `integrationParts`. */
  | { readonly screen: 'integrations'; readonly part: string | null }
  | { readonly screen: 'settings'; readonly section: SettingsSection }

export const skillTabs = ['overview', 'body', 'metrics', 'versions', 'activation', 'uses', 'files', 'problems'] as const
export type SkillTab = (typeof skillTabs)[number]

/** Where a skill, or a file that is none, is shown. */
export function skillRoute(id: string | null, tab: SkillTab = 'overview'): Route {
  return { screen: 'skills', id, tab }
}

export const missionTabs = ['overview', 'definition', 'history', 'approach', 'prompt'] as const
export type MissionTab = (typeof missionTabs)[number]

/** Beside the tabs: the form of its next version. */
const missionPlaces = [...missionTabs, 'edit'] as const
export type MissionPlace = (typeof missionPlaces)[number]
/** In the place of an id: the form of one that is not there yet. */
export const newMissionId = 'new'

/** Where a mission is shown, or written. */
export function missionRoute(id: string | null, tab: MissionPlace = 'overview'): Route {
  return { screen: 'missions', id, tab }
}

export const settingsSections = ['general', 'models', 'budgets', 'agent', 'profile', 'data', 'about'] as const
export type SettingsSection = (typeof settingsSections)[number]
export const sectionTitles: Readonly<Record<SettingsSection, string>> = {
  general: 'General',
  models: 'Models',
  budgets: 'Budgets',
  agent: 'Agent',
  profile: 'Profile',
  data: 'Data',
  about: 'About',
}

/** Beside the skills, by what no skill can be called. */
export const integrationParts = { hosts: '~hosts', problems: '~problems' } as const

export const home: Route = { screen: 'chat', conversationId: null }

export function routeHash(route: Route): string {
  switch (route.screen) {
    case 'chat':
      return route.conversationId === null ? '#/chat' : `#/chat/${encodeURIComponent(route.conversationId)}`
    case 'threads':
      return '#/threads'
    case 'thread':
      return `#/thread/${encodeURIComponent(route.id)}${route.at === undefined ? '' : `/${route.at}`}`
    case 'approvals':
      return route.id === null ? '#/approvals' : `#/approvals/${encodeURIComponent(route.id)}`
    case 'memory':
      return route.id === null ? '#/memory' : `#/memory/${encodeURIComponent(route.id)}`
    case 'skills': {
      const tab = route.tab === 'overview' ? '' : `/${route.tab}`
      return route.id === null ? '#/skills' : `#/skills/${encodeURIComponent(route.id)}${tab}`
    }
    case 'missions': {
      const tab = route.tab === 'overview' ? '' : `/${route.tab}`
      return route.id === null ? '#/missions' : `#/missions/${encodeURIComponent(route.id)}${tab}`
    }
    case 'learnt':
      return route.id === null ? '#/learnt' : `#/learnt/${encodeURIComponent(route.id)}`
    case 'integrations':
      return route.part === null ? '#/integrations' : `#/integrations/${encodeURIComponent(route.part)}`
    case 'settings':
      return `#/settings/${route.section}`
  }
}

/** An address that means nothing leads home. */
export function parseRoute(hash: string): Route {
  const [screen, part, tab] = hash.replace(/^#\/?/, '').split('/')
  switch (screen) {
    case 'chat':
      return { screen: 'chat', conversationId: decoded(part) }
    case 'threads':
      return { screen: 'threads' }
    case 'thread': {
      const id = decoded(part)
      if (id === null) return { screen: 'threads' }
      const at = /^\d+$/.test(tab ?? '') ? Number(tab) : undefined
      return { screen: 'thread', id, ...(at !== undefined && { at }) }
    }
    case 'approvals':
      return { screen: 'approvals', id: decoded(part) }
    case 'memory':
      return { screen: 'memory', id: decoded(part) }
    case 'skills':
      return skillRoute(
        decoded(part),
        skillTabs.find((each) => each === tab),
      )
    case 'missions':
      return missionRoute(
        decoded(part),
        missionPlaces.find((each) => each === tab),
      )
    case 'learnt':
      return { screen: 'learnt', id: decoded(part) }
    case 'integrations':
      return { screen: 'integrations', part: decoded(part) }
    case 'settings':
      return { screen: 'settings', section: settingsSections.find((section) => section === part) ?? 'general' }
    default:
      return home
  }
}

function decoded(part: string | undefined): string | null {
  if (part === undefined || part === '') return null
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
