import { z } from 'zod'
import { limits } from './limits.ts'
import { sanitizeText } from './text.ts'

const field = z.string().max(limits.profileFieldCharacters)

/** What a person says of themselves; every field may be empty. Source: RULES 40. */
export const profileSchema = z.strictObject({
  preferences: field,
  company: field,
  role: field,
  brandVoice: field,
  timeZone: field,
  notes: field,
})
export type Profile = z.infer<typeof profileSchema>
export const emptyProfile: Profile = {
  preferences: '',
  company: '',
  role: '',
  brandVoice: '',
  timeZone: '',
  notes: '',
}

const names: readonly (readonly [keyof Profile, string])[] = [
  ['role', 'Role'],
  ['company', 'Company'],
  ['timeZone', 'Time zone'],
  ['preferences', 'Preferences'],
  ['brandVoice', 'Brand voice'],
  ['notes', 'Notes'],
]

/** The profile as a part of the system message; '' when nothing is filled in. The same profile gives the same bytes. */
export function profileText(profile: Profile): string {
  const lines = names.flatMap(([key, name]) => {
    const value = sanitizeText(profile[key]).trim()
    // Further lines are indented: they belong to their field, whatever they begin with.
    return value === '' ? [] : [`- ${name}: ${value.replace(/\n/g, '\n  ')}`]
  })
  return lines.length === 0 ? '' : `## The user\n\n${lines.join('\n')}\n`
}

/** A turn of a conversation as a skill is told of it. */
export interface ContextMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** The end of a conversation where no model has made a summary of it: its last 2,000 characters. Source: RULES 39. */
export function conversationContext(messages: readonly ContextMessage[]): string {
  const text = messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n')
  return text.slice(-limits.conversationContextCharacters).toWellFormed()
}
