import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../core/domain/settings.ts'
import { commands, commandsOf } from '../../renderer/commands.ts'
import { parseRoute } from '../../renderer/routes.ts'
import { inspectorCommands } from '../../renderer/screens/thread/inspector-commands.ts'
import { mergeThreads } from '../../renderer/state/fold.ts'
import { emptyKnown } from '../../renderer/state/model.ts'
import { type AppState, initialState } from '../../renderer/state/store.ts'
import { credential, integration } from './screens/integrations/support.ts'
import { thread } from './support.ts'

function available(patch: Partial<AppState>): readonly string[] {
  const state = { ...initialState, ...patch }
  return commands.filter((command) => command.when(state)).map((command) => command.id)
}

function onThread(patch: Parameters<typeof thread>[0], hash = '#/chat/c1') {
  return available({ route: parseRoute(hash), known: mergeThreads(emptyKnown, [thread(patch)]) })
}

/** Their keys are others' too: a request, a doc, a skill, a mission and a thread are each on a screen of their own. */
const ofMissions = ['mission.new', 'mission.edit', 'mission.fire', 'mission.pause']
/** One is said no to where no note is written; taken back is what is shown, not what was just done. */
const ofLearnt = ['learnt.reject', 'learnt.undo']
const elsewhere = new Set(['approval.edit', 'doc.edit', 'skill.edit', 'skill.test', ...ofMissions, ...ofLearnt])

describe('the registry of commands', () => {
  test('every id and every key belongs to one command; some are of screens that are never there together', () => {
    const ids = commands.map((command) => command.id)
    const keys = commands.filter(({ id }) => !elsewhere.has(id)).flatMap((command) => command.keys)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('no key is the beginning of another, or the longer one could never be pressed', () => {
    const keys = commands.flatMap((command) => command.keys)
    for (const key of keys) expect(keys.filter((other) => other.startsWith(`${key} `))).toEqual([])
  })

  test('every command has a title and a group for the palette and the help', () => {
    for (const { title, group } of commands) {
      expect(title).toMatch(/^[A-Z]/)
      expect(group).not.toBe('')
    }
  })

  test('going places, new conversations, the palette and the help are always offered', () => {
    expect(available({})).toEqual(
      expect.arrayContaining(['go.chat', 'go.threads', 'go.settings', 'chat.new', 'palette.open', 'help.open']),
    )
  })

  test('only what can be gone back to is offered', () => {
    expect(available({})).not.toContain('go.back')
    expect(available({ canGoBack: true })).toContain('go.back')
    expect(available({ canGoForward: true })).toContain('go.forward')
  })

  test('stop is offered while the shown thread is under way, and no longer', () => {
    expect(onThread({ state: 'Running' })).toContain('thread.stop')
    expect(onThread({ state: 'Created' })).toContain('thread.stop')
    expect(onThread({ state: 'Suspended' })).not.toContain('thread.stop')
    expect(onThread({ state: 'Done' })).not.toContain('thread.stop')
    expect(available({})).not.toContain('thread.stop')
  })

  test("the inspector's commands are of the registry, and offered while it is there", () => {
    const ids = inspectorCommands.map(({ id }) => id)
    expect(commands.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    expect(available({})).not.toContain('inspector.zoomIn')
    expect(available({ screenCommands: { 'inspector.zoomIn': () => undefined } })).toContain('inspector.zoomIn')
  })

  test('resume is offered for a suspended thread, retry for an ended one', () => {
    expect(onThread({ state: 'Suspended' })).toContain('thread.resume')
    expect(onThread({ state: 'Running' })).not.toContain('thread.resume')
    expect(onThread({ state: 'Failed' })).toContain('thread.retry')
    expect(onThread({ state: 'Running' })).not.toContain('thread.retry')
  })

  test('chat and inspector of a thread lead to each other', () => {
    expect(onThread({}, '#/chat/c1')).toContain('thread.inspect')
    expect(onThread({}, '#/thread/t1')).toContain('thread.chat')
    expect(onThread({}, '#/thread/1')).toContain('thread.chat')
    expect(onThread({}, '#/threads')).not.toContain('thread.inspect')
  })

  test('what belongs to a screen is offered while that screen is there', () => {
    expect(available({})).not.toContain('list.next')
    expect(available({ screenCommands: { 'list.next': () => undefined } })).toContain('list.next')
  })

  test('each service that lacks its credential can be connected from the palette; one that has it cannot', () => {
    const missing = integration({ skill: 'slack', credentials: [credential({ state: 'missing' })] })
    const open = integration({ skill: 'weather', credentials: [] })
    const all = { integrations: [integration(), missing, open], problems: [] }
    const more = commandsOf({ integrations: all }).filter((command) => !commands.includes(command))
    expect(more.map(({ title }) => title)).toEqual(['Connect Slack…'])
    expect(commandsOf({ integrations: null })).toEqual(commands)
  })

  test('a theme that is on already is not offered', () => {
    const settings = {
      ...defaultSettings,
      theme: 'dark',
    } as const
    const offered = available({ settings: { ...settings, providers: [] } })
    expect(offered).toContain('theme.light')
    expect(offered).not.toContain('theme.dark')
  })
})
