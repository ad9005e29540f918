import { type Line, none, only, text } from './line.ts'

export type LearnCommand =
  | { readonly name: 'learn status' | 'learn list' }
  | {
      readonly name: 'learn approve' | 'learn reject' | 'learn undo'
      readonly id: string
      readonly reason?: string
    }

export function learnCommand(name: LearnCommand['name'], { rest, values }: Line): LearnCommand {
  switch (name) {
    case 'learn status':
    case 'learn list':
      none(rest)
      return { name }
    case 'learn approve':
    case 'learn reject':
    case 'learn undo': {
      const reason = text(values, 'reason')?.trim()
      return { name, id: only(rest, 'an id, as `learn list` shows it'), ...(reason && { reason }) }
    }
  }
}
