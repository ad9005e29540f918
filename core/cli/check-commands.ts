import { type Line, only, type Values, wrongUsage } from './line.ts'

/** Commands that look at what they are given, and open no store. */
export type CheckCommand =
  | {
      readonly name: 'http check'
      readonly url: string
      /** What the name answers, look-up by look-up; absent: the system is asked. */
      readonly dns?: readonly (readonly string[])[]
      /** What each address redirects to, in order, with what its name answers. */
      readonly redirects: readonly { readonly url: string; readonly addresses: readonly string[] }[]
    }
  | { readonly name: 'secrets scan'; readonly files: readonly string[] }
  | { readonly name: 'skill validate'; readonly paths: readonly string[] }

export function checkCommand(name: CheckCommand['name'], { rest, values }: Line): CheckCommand {
  switch (name) {
    case 'http check': {
      const dns = answersIn(values)
      return { name, url: only(rest, 'one URL'), ...(dns && { dns }), redirects: redirectsIn(values) }
    }
    case 'secrets scan':
      if (rest.length === 0) throw wrongUsage('secrets scan takes at least one file')
      return { name, files: rest }
    case 'skill validate':
      if (rest.length === 0) throw wrongUsage('skill validate takes at least one SKILL.md or its folder')
      return { name, paths: rest }
  }
}

/** `A,B|C`: two addresses at the first look-up, another one at the second. */
function answersIn({ dns }: Values): readonly (readonly string[])[] | undefined {
  return typeof dns === 'string' ? dns.split('|').map((answer) => list(answer)) : undefined
}

function redirectsIn({ redirect }: Values) {
  const given = Array.isArray(redirect) ? redirect : []
  return given.map(String).map((text) => {
    const at = text.lastIndexOf('=')
    if (at < 0) return { url: text, addresses: [] }
    return { url: text.slice(0, at), addresses: list(text.slice(at + 1)) }
  })
}

function list(text: string): readonly string[] {
  return text.split(',').filter((address) => address !== '')
}
