import { create } from 'zustand'
import type { Candidate } from '../../core/domain/candidate.ts'
import { type ErrorBody, errorBody } from '../../core/domain/error.ts'
import type { Integrations } from '../../core/domain/integration.ts'
import type { LearntEntry, LearntStatus } from '../../core/domain/learnt.ts'
import type { LocalStatus } from '../../core/domain/local.ts'
import type { MissionDays, MissionSummary } from '../../core/domain/mission.ts'
import type { ModelRef } from '../../core/domain/model.ts'
import type { DesktopState, ShellState } from '../../core/domain/shell.ts'
import type { SkillHeader, SkillProblem } from '../../core/domain/skill.ts'
import type { Tier } from '../../core/domain/thread.ts'
import { home, type Route } from '../routes.ts'
import { emptyKnown, type Facts, type Known } from './model.ts'

/** The one thing in Settings, Models that a person was sent to. */
export type ModelsFocus =
  | { readonly kind: 'provider'; readonly providerId: string }
  | { readonly kind: 'key'; readonly providerId: string }
  | { readonly kind: 'limits'; readonly model: ModelRef }

/** `seq`: the newest event of the mission that was known when they were asked for. */
export interface ReadDays {
  readonly seq: number
  readonly days: MissionDays
}

/** Everything that the window shows: what the engine told, and where the person is. */
export interface AppState extends Facts {
  readonly shell: ShellState
  /** Once something shows it. */
  readonly desktop: DesktopState | null
  readonly known: Known
  /** Whether the first pages are there; the error where they could not be loaded. */
  readonly start: 'loading' | 'ready' | ErrorBody
  /** The page after the conversations that are loaded; null at the end. */
  readonly conversationsBefore: number | null
  readonly route: Route
  readonly canGoBack: boolean
  readonly canGoForward: boolean
  readonly isPaletteOpen: boolean
  readonly isHelpOpen: boolean
  /** A command that failed where no card stands for it. */
  readonly notice: ErrorBody | null
  /** What commands do on the screen that is mounted, by command id. */
  readonly screenCommands: Readonly<Record<string, () => void>>
  /** Until that place was left. */
  readonly modelsFocus: ModelsFocus | null
  /** What skills need for their services, once something shows it. */
  readonly integrations: Integrations | null
  /** Candidates that wait for a decision, the oldest first. */
  readonly candidates: readonly Candidate[]
  /** Once something shows them. */
  readonly skills: readonly SkillHeader[] | null
  readonly skillProblems: readonly SkillProblem[] | null
  /** Once something shows them. */
  readonly missions: readonly MissionSummary[] | null
  /** By mission that something showed: what it did and is to do in the days around today. */
  readonly missionDays: Readonly<Record<string, ReadDays>>
  /** Missions that agents proposed and that wait for a decision. */
  readonly proposedMissions: readonly MissionSummary[]
  /** The one that fires next by the clock. */
  readonly nextMission: MissionSummary | null
  /** The newest first, once something shows them. */
  readonly learnt: readonly LearntEntry[] | null
  readonly learntStatus: LearntStatus | null
  /** The skill whose credential a person was sent to enter; until its field has the focus. */
  readonly connecting: string | null
  /** Models in the app, once something shows them. */
  readonly local: LocalStatus | null
  /** For the next message. */
  readonly tier: Tier
  /** The folder of the next new chat. */
  readonly projectId: string | null
}

export const initialState: AppState = {
  shell: { phase: 'starting' },
  desktop: null,
  info: null,
  settings: null,
  projects: [],
  known: emptyKnown,
  start: 'loading',
  conversationsBefore: null,
  route: home,
  canGoBack: false,
  canGoForward: false,
  isPaletteOpen: false,
  isHelpOpen: false,
  notice: null,
  screenCommands: {},
  modelsFocus: null,
  integrations: null,
  candidates: [],
  skills: null,
  skillProblems: null,
  missions: null,
  missionDays: {},
  proposedMissions: [],
  nextMission: null,
  learnt: null,
  learntStatus: null,
  connecting: null,
  local: null,
  tier: 'allegro',
  projectId: null,
}

export const useApp = create<AppState>(() => initialState)

export function getApp(): AppState {
  return useApp.getState()
}

export function setApp(patch: Partial<AppState> | ((state: AppState) => Partial<AppState>)): void {
  useApp.setState(patch)
}

export function setKnown(change: (known: Known) => Known): void {
  useApp.setState((state) => {
    const known = change(state.known)
    return known === state.known ? state : { known }
  })
}

/** Runs what a press or click asked for. A failure that has no card of its own is shown as the notice. */
export function supervise(work: () => Promise<unknown>): void {
  work().catch((error: unknown) => setApp({ notice: errorBody(error) }))
}
