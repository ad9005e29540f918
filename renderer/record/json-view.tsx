import { useState } from 'react'
import type { Json } from '../../core/domain/json.ts'
import { RedactedText } from '../components/redacted.tsx'
import { counted } from '../format/figures.ts'
import { LongText } from './parts.tsx'

const openDepth = 2
const shownMembers = 100
const inlineCharacters = 120

/** A value as a tree that opens where it is asked to. Long texts and long lists say how much of them is shown. */
export function JsonView({ value, depth = 0 }: { readonly value: Json; readonly depth?: number }) {
  const members = membersOf(value)
  if (members === null) return <Leaf value={value} />
  if (members.length === 0) return <span className="mute mono">{Array.isArray(value) ? '[]' : '{}'}</span>
  return <Branch members={members} depth={depth} isList={Array.isArray(value)} />
}

type Member = readonly [key: string, value: Json]

function membersOf(value: Json): readonly Member[] | null {
  if (typeof value !== 'object' || value === null) return null
  return Object.entries(value)
}

function Branch({ members, depth, isList }: { members: readonly Member[]; depth: number; isList: boolean }) {
  const [shown, setShown] = useState(shownMembers)
  return (
    <ul className="json">
      {members.slice(0, shown).map(([key, value]) => (
        <li key={key}>
          <JsonMember name={key} value={value} depth={depth} isIndex={isList} />
        </li>
      ))}
      {members.length > shown && (
        <li>
          <button type="button" className="link" onClick={() => setShown(shown + shownMembers * 5)}>
            {shown.toLocaleString('en')} of {members.length.toLocaleString('en')} shown, show more
          </button>
        </li>
      )}
    </ul>
  )
}

interface MemberProps {
  readonly name: string
  readonly value: Json
  readonly depth: number
  readonly isIndex: boolean
}

function JsonMember({ name, value, depth, isIndex }: MemberProps) {
  const [isOpen, setOpen] = useState(depth < openDepth && !isIndex)
  const label = <span className={isIndex ? 'mute' : 'key'}>{name}</span>
  const members = membersOf(value)
  if (members === null || members.length === 0) {
    return (
      <div className="member">
        {label} <JsonView value={value} depth={depth + 1} />
      </div>
    )
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}{' '}
        <span className="mute">
          {Array.isArray(value) ? counted(members.length, 'item') : isOpen ? '' : preview(members)}
        </span>
      </summary>
      {isOpen && <JsonView value={value} depth={depth + 1} />}
    </details>
  )
}

function preview(members: readonly Member[]): string {
  const texts = members.slice(0, 4).map(([key, value]) => `${key}: ${typeof value === 'object' ? '…' : String(value)}`)
  const text = texts.join(', ')
  return text.length > inlineCharacters ? `${text.slice(0, inlineCharacters)}…` : text
}

function Leaf({ value }: { readonly value: Json }) {
  if (typeof value === 'string') {
    return value.length > inlineCharacters || value.includes('\n') ? (
      <LongText text={value} />
    ) : (
      <span className="mono str">{value === '' ? '""' : <RedactedText text={value} />}</span>
    )
  }
  return <span className="mono num-value">{String(value)}</span>
}
