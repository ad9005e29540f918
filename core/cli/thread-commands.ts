import path from 'node:path'
import { limits } from '../domain/limits.ts'
import { type ThreadState, threadStates } from '../domain/thread.ts'
import { count, type Line, only, text, type Values, wrongUsage } from './line.ts'

/** Who decides what a thread of `run` asks for: the person at this terminal, nobody here, or all of it beforehand. */
const approveModes = ['ask', 'none', 'all'] as const
export type ApproveMode = (typeof approveModes)[number]

export type ThreadCommand =
  | {
      readonly name: 'run'
      readonly goal: string
      readonly project: string
      readonly model?: string
      readonly skill?: string
      readonly maxSteps?: number
      readonly budgetUsd?: number
      /** Undefined: `ask` on a terminal, else `none`. */
      readonly approve?: ApproveMode
    }
  | { readonly name: 'thread list'; readonly state?: ThreadState; readonly limit: number; readonly before?: string }
  | { readonly name: 'thread show'; readonly id: string; readonly events: boolean; readonly messages: boolean }
  | { readonly name: 'thread stop' | 'thread resume' | 'trace issues'; readonly id: string }
  | { readonly name: 'thread fork'; readonly id: string; readonly step: number; readonly edit?: string }

export function threadCommand(name: ThreadCommand['name'], line: Line): ThreadCommand {
  const { rest, values } = line
  switch (name) {
    case 'run':
      return runCommand(line)
    case 'thread list':
      return listCommand(values)
    case 'thread show':
      return { name, id: threadId(rest), events: values.events === true, messages: values.messages === true }
    case 'thread fork': {
      const step = count(values, 'step', { min: 0, max: limits.maxStepsCeiling })
      if (step === undefined) throw wrongUsage('thread fork takes --step N, as `thread show` counts')
      const edit = text(values, 'edit')
      return { name, id: threadId(rest), step, ...(edit !== undefined && { edit }) }
    }
    default:
      return { name, id: threadId(rest) }
  }
}

const threadId = (rest: readonly string[]) => only(rest, 'the id of a thread')

function runCommand({ rest, values, currentFolder }: Line): ThreadCommand {
  const goal = only(rest, 'one goal, in quotes')
  if (goal.trim() === '') throw wrongUsage('the goal is empty')
  const wanted = text(values, 'approve')
  const approve = approveModes.find((each) => each === wanted)
  if (wanted !== undefined && approve === undefined) throw wrongUsage('--approve is ask, none or all')
  const maxSteps = count(values, 'max-steps', { max: limits.maxStepsCeiling })
  const budgetUsd = usd(text(values, 'budget-usd'))
  const model = text(values, 'model')
  const skill = text(values, 'skill')
  // Whole, because the app that may be asked for it stands in another folder.
  const project = path.resolve(currentFolder, text(values, 'project') ?? '.')
  return {
    ...{ name: 'run', goal, project },
    ...(model && { model }),
    ...(skill && { skill }),
    ...(maxSteps && { maxSteps }),
    ...(budgetUsd && { budgetUsd }),
    ...(approve && { approve }),
  }
}

function usd(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const amount = /^\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : 0
  if (amount > 0) return amount
  throw wrongUsage('--budget-usd takes an amount over 0, like 0.50')
}

function listCommand(values: Values): ThreadCommand {
  const wanted = text(values, 'state')
  const state = threadStates.find((each) => each.toLowerCase() === wanted?.toLowerCase())
  if (wanted !== undefined && state === undefined) throw wrongUsage(`--state is one of ${threadStates.join(', ')}`)
  const before = text(values, 'before')
  const limit = count(values, 'limit', { max: 1_000 }) ?? 50
  return { name: 'thread list', limit, ...(state && { state }), ...(before && { before }) }
}
