import { type Line, none, only } from './line.ts'

export type SkillCommand =
  | { readonly name: 'skill list' }
  | { readonly name: 'skill show'; readonly skill: string }
  | { readonly name: 'skill select'; readonly goal: string }

export function skillCommand(name: SkillCommand['name'], { rest }: Line): SkillCommand {
  switch (name) {
    case 'skill list':
      none(rest)
      return { name }
    case 'skill show':
      return { name, skill: only(rest, 'the name of a skill') }
    case 'skill select':
      return { name, goal: only(rest, 'a goal, in quotes') }
  }
}
